#!/bin/bash
# set: long
# What is said of a sample holds as often as it says, in 1000 samples.
SEEDS=1000 . "$(dirname "$0")/sample.sh"
