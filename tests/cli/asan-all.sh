#!/bin/bash
# set: long
# asan.sh with every case also under AddressSanitizer, in main and in a thread.
EVERY=1
. "$(dirname "$0")/asan.sh"
