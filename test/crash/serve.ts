// The service as it is, but for shorter waits on carriers: what a killed process was buying is looked for sooner.
import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/server.ts';

const timing = { buyMs: 2_000, askMs: 2_000, settleMs: 3_000, retryMs: 200 };
await serve(readConfig(), undefined, { timing });
