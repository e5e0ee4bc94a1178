// Answers to what never becomes a request: malformed HTTP, half of one, a connection too many.
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import { errorBody } from './envelope.ts';

const brokenRequests: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: new ApiError('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError('request_timeout'),
};

/** What cannot be parsed as HTTP at all still gets an answer in the documented shape. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  endWith(
    socket,
    brokenRequests[error.code ?? ''] ?? new ApiError('invalid_header', { message: 'Malformed HTTP' }),
  );
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Header Too Large',
  503: 'Service Unavailable',
};

/** Writes a whole answer where no request is, and closes. */
export function endWith(socket: Socket, answer: ApiError): void {
  const id = randomUUID();
  const body = errorBody(answer, id);
  const retry = answer.status === 503 ? `Retry-After: ${limits.retryAfterSeconds}\r\n` : '';
  socket.end(
    `HTTP/1.1 ${answer.status} ${reasons[answer.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${id}\r\nX-Content-Type-Options: nosniff\r\n${retry}Connection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
