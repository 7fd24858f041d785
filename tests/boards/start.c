/* Start-up for Cortex-M under QEMU: just enough for the C tests to run on the bare instruction set, output by semihosting. */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t stack_top[];
extern char data_start[], data_end[], data_image[], bss_start[], bss_end[];
extern int main(int, char **);
extern void initialise_monitor_handles(void);

void reset(void);
void fault(void);

void fault(void) {
    abort(); /* semihosting ends the emulator with an error */
}

void reset(void) {
    const char *image = data_image;
    char *byte;
    for (byte = data_start; byte < data_end; byte++) {
        *byte = *image++;
    }
    for (byte = bss_start; byte < bss_end; byte++) {
        *byte = 0;
    }
    initialise_monitor_handles();
    exit(main(0, 0));
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    stack_top, (void *)reset, (void *)fault, (void *)fault,
};
