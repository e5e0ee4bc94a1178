// Keeps what Node compiles, so that the next start loads it: a quarter of the time that loading the service takes. In JavaScript, and
// imported before all else (`--import`): then TypeScript that is known need not be stripped, and the 27 MB of what strips it
// are not taken.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Not in the system's temporary folder, where another account could lay code for us to run. Where it cannot be written,
// nothing is kept.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/waybill', import.meta.url)));
