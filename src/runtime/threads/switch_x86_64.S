/*
 * void evr_switch(void **from, void *to): the callee-saved registers go onto the stack that is left. In
 * evr_switch_environment() the control words of floating point (rounding mode, exceptions) are among them; these take longer
 * to save than all the rest, so evr_switch() writes what they are at first. It jumps where it would return: processors foresee a return by the
 * calls of the stack that was left, and a jump by where it has led to before, which is one of a few places.
 */
	.macro	push_registers
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	.endm
	.macro	pop_registers
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	.endm

	.text
	.globl	evr_switch
	.type	evr_switch, @function
evr_switch:
	.cfi_startproc
	push_registers
	movabsq	$0x37f00001f80, %rax
	pushq	%rax
	movq	%rsp, (%rdi)
	leaq	8(%rsi), %rsp
	pop_registers
	popq	%rcx
	jmp	*%rcx
	.cfi_endproc
	.size	evr_switch, .-evr_switch

	.globl	evr_switch_environment
	.type	evr_switch_environment, @function
evr_switch_environment:
	.cfi_startproc
	push_registers
	subq	$8, %rsp
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	ldmxcsr	(%rsp)
	fldcw	4(%rsp)
	addq	$8, %rsp
	pop_registers
	ret
	.cfi_endproc
	.size	evr_switch_environment, .-evr_switch_environment

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
