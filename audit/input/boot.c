/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The headers of kernel images that say where the compressed kernel is.
 *
 * x86: Documentation/arch/x86/boot.rst of the kernel's tree, protocol 2.08 and later;
 * EFI zboot (arm64, riscv, loongarch): include/linux/pe.h and
 * drivers/firmware/efi/libstub/zboot-header.S; uImage: U-Boot's legacy header.
 * The zImage of arm, and the images of s390 and powerpc, do not say it.
 */
#include "boot.h"

#include <stdint.h>
#include <string.h>

static uint32_t little(const unsigned char *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t big(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

static bool x86(const unsigned char *bytes, size_t size, uint64_t *offset, uint64_t *length)
{
	unsigned int sectors;

	if (size < 0x250 || memcmp(bytes + 0x202, "HdrS", 4) != 0 || bytes[0x207] < 2 ||
	    (bytes[0x207] == 2 && bytes[0x206] < 8))
		return false;
	sectors = bytes[0x1f1] ? bytes[0x1f1] : 4;
	*offset = (uint64_t)(sectors + 1) * 512 + little(bytes + 0x248);
	*length = little(bytes + 0x24c);
	return true;
}

static bool zboot(const unsigned char *bytes, size_t size, uint64_t *offset, uint64_t *length)
{
	if (size < 0x40 || memcmp(bytes, "MZ", 2) != 0 || memcmp(bytes + 4, "zimg", 4) != 0)
		return false;
	*offset = little(bytes + 8);
	*length = little(bytes + 12);
	return true;
}

static bool uimage(const unsigned char *bytes, size_t size, uint64_t *offset, uint64_t *length)
{
	if (size < 64 || big(bytes) != 0x27051956 || bytes[31] == 0) /* 0: not compressed */
		return false;
	*offset = 64;
	*length = big(bytes + 12);
	return true;
}

bool boot_payload(const unsigned char *bytes, size_t size, struct payload *payload)
{
	uint64_t offset, length;

	if (!x86(bytes, size, &offset, &length) && !zboot(bytes, size, &offset, &length) &&
	    !uimage(bytes, size, &offset, &length))
		return false;
	payload->cut = offset + length > size;
	offset = offset < size ? offset : size;
	payload->at = bytes + offset;
	payload->size = length < size - offset ? (size_t)length : (size_t)(size - offset);
	return true;
}
