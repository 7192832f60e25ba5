/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * QEMU's TCG signs the first CPUID leaf for hypervisors on x86; on arm64 its "max"
 * CPU has implementer 0, architecture 0xf and part 0x051 in MIDR_EL1 (target/arm/cpu64.c),
 * which the kernel lets user space read (HWCAP_CPUID).
 */
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "emulator.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#define HYPERVISOR_BIT	(1u << 31) /* of leaf 1's ecx */
#define HYPERVISOR_LEAF 0x40000000u

bool emulator_is_tcg(void)
{
	unsigned int eax, words[3], edx;
	char signature[sizeof(words)];

	if (!__get_cpuid(1, &eax, &words[0], &words[1], &edx) || !(words[1] & HYPERVISOR_BIT))
		return false;
	__cpuid(HYPERVISOR_LEAF, eax, words[0], words[1], words[2]);
	memcpy(signature, words, sizeof(words));
	return memcmp(signature, "TCGTCGTCGTCG", sizeof(signature)) == 0;
}
#elif defined(__aarch64__)
#include <asm/hwcap.h>

#define TCG_MAX 0x000f0510u

bool emulator_is_tcg(void)
{
	uint64_t midr;

	if (!(getauxval(AT_HWCAP) & HWCAP_CPUID))
		return false;
	__asm__("mrs %0, midr_el1" : "=r"(midr));
	return (midr & 0xff0ffff0u) == TCG_MAX;
}
#else
bool emulator_is_tcg(void)
{
	return false;
}
#endif
