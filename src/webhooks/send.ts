// Posts one event to one endpoint: bounded in time and size, redirects not followed, private addresses refused.
import { Agent, buildConnector, errors, request } from 'undici';
import * as limits from '../limits.ts';
import { publicConnector } from '../public-address.ts';

export interface Answer {
  status: number | null;
  /** The beginning of its body. */
  body: string | null;
  /** Why there is no answer. */
  error: string | null;
}

export interface Sender {
  post(url: string, headers: Record<string, string>, body: string): Promise<Answer>;
  close(): Promise<void>;
}

export function makeSender(options: { allowPrivate: boolean; timeoutMs?: number }): Sender {
  const { allowPrivate, timeoutMs = limits.webhookTimeoutMs } = options;
  const timeout = limits.webhookConnectMs;
  const agent = new Agent({
    connect: allowPrivate ? buildConnector({ timeout }) : publicConnector(timeout),
    connections: limits.webhookTriesAtOnce,
    pipelining: 1,
    maxHeaderSize: 16_384,
  });
  return {
    async post(url, headers, body) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        // Redirects are not followed: this is no fetch.
        const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent });
        return { status: answer.statusCode, body: await beginning(answer.body), error: null };
      } catch (error) {
        return { status: null, body: null, error: describe(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

/** Reads a little more than is kept, so that the connection of a receiver with a short answer can be used again. */
async function beginning(stream: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limits.webhookAnswerReadBytes) break;
    }
  } catch {
    // The status has been told; how the body ends changes nothing.
  }
  const kept = Buffer.concat(chunks).subarray(0, limits.webhookAnswerKeptBytes);
  // PostgreSQL's text knows no NUL.
  return new TextDecoder().decode(kept, { stream: true }).replaceAll('\0', '\uFFFD');
}

function describe(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return 'could not connect in time';
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'no answer in time';
  const text = message === '' || message === undefined ? (code ?? name) : message;
  return text.slice(0, limits.reasonLengthMax);
}
