/*
 * void evr_switch(void **from, void *to): the callee-saved registers go onto the stack that is left, and the control word of
 * floating point (rounding mode).
 */
	.text
	.globl	evr_switch
	.globl	evr_switch_environment
	.type	evr_switch, %function
	.type	evr_switch_environment, %function
evr_switch:
evr_switch_environment:
	.cfi_startproc
	sub	sp, sp, #176
	stp	x19, x20, [sp, #0]
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	x29, x30, [sp, #80]
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	mrs	x9, fpcr
	str	x9, [sp, #160]
	mov	x9, sp
	str	x9, [x0]
	mov	sp, x1
	ldp	x19, x20, [sp, #0]
	ldp	x21, x22, [sp, #16]
	ldp	x23, x24, [sp, #32]
	ldp	x25, x26, [sp, #48]
	ldp	x27, x28, [sp, #64]
	ldp	x29, x30, [sp, #80]
	ldp	d8, d9, [sp, #96]
	ldp	d10, d11, [sp, #112]
	ldp	d12, d13, [sp, #128]
	ldp	d14, d15, [sp, #144]
	ldr	x9, [sp, #160]
	msr	fpcr, x9
	add	sp, sp, #176
	ret
	.cfi_endproc
	.size	evr_switch, .-evr_switch

	.globl	evr_switch_entry
	.type	evr_switch_entry, %function
evr_switch_entry:
	.cfi_startproc
	.cfi_undefined x30
	bl	evr_coroutine_started
	mov	x0, x20
	blr	x19
	brk	#1
	.cfi_endproc
	.size	evr_switch_entry, .-evr_switch_entry

	.section .note.GNU-stack,"",%progbits
