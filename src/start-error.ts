// A failure that whoever runs the program can mend: it is printed as one line, without a stack.

export class StartError extends Error {}

/** Prints an error the way a command line should: one line for a StartError, everything for a defect. */
export function printFailure(error: unknown): void {
  const text =
    error instanceof StartError ? `waybill: ${error.message}` : error instanceof Error ? error.stack : error;
  process.stderr.write(`${text}\n`);
}
