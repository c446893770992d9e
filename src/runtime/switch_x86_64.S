/*
 * void evr_switch(void **from, void *to): the callee-saved registers go onto the stack that is left, the control words of
 * floating point (rounding mode) among them.
 */
	.text
	.globl	evr_switch
	.type	evr_switch, @function
evr_switch:
	.cfi_startproc
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	subq	$8, %rsp
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	ldmxcsr	(%rsp)
	fldcw	4(%rsp)
	addq	$8, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
	.cfi_endproc
	.size	evr_switch, .-evr_switch

	.globl	evr_switch_entry
	.type	evr_switch_entry, @function
evr_switch_entry:
	.cfi_startproc
	.cfi_undefined %rip
	call	evr_coroutine_started@PLT
	movq	%r12, %rdi
	call	*%rbx
	ud2
	.cfi_endproc
	.size	evr_switch_entry, .-evr_switch_entry

	.section .note.GNU-stack,"",@progbits
