// The one place where something thrown becomes an HTTP answer.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { constraintOf } from '../database/connect.ts';
import { ApiError, constraintErrors } from '../errors.ts';
import * as limits from '../limits.ts';
import { errorBody } from './envelope.ts';

/** What every answer carries, whoever gives it. */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  // The address of a label is as good as a key to it.
  reply.header('referrer-policy', 'no-referrer');
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = apiErrorOf(error);
  // Refusing must cost little, and a line for each would say nothing new.
  if (answer.status >= 500 && answer.code !== 'overloaded') {
    request.log.error({ err: error, requestId: request.id }, 'request failed');
  }
  const retry = answer.status === 503 || answer.code === 'idempotency_key_in_use';
  if (retry) reply.header('retry-after', String(limits.retryAfterSeconds));
  // An address that cannot be decoded comes here without any hook.
  setCommonHeaders(request, reply);
  return reply
    .code(answer.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(answer, request.id));
}

export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof pg.DatabaseError) return databaseError(error);
  if (isCutOff(error)) return new ApiError('request_timeout');
  if (isConnectionLoss(error)) return new ApiError('unavailable');
  return fastifyError(error as FastifyError);
}

function databaseError(error: pg.DatabaseError): ApiError {
  const state = error.code ?? '';
  const constraint = constraintOf(error);
  const code = constraint === undefined ? undefined : constraintErrors[constraint];
  if (code !== undefined) return new ApiError(code);
  // What validation cannot see: a number or a time that PostgreSQL finds out of range, text it cannot hold.
  if (/^(22003|22008|22021|22023|22P05|22P02)$/.test(state)) return new ApiError('invalid_parameters');
  // Connection lost, shutting down, too many connections, disk full or read only, locked or cancelled too long.
  if (/^(08|57P|53|58|55000|25006|25P03|55P03|57014|40001|40P01)/.test(state))
    return new ApiError('unavailable');
  if (state === '23505' || state === '23503') return new ApiError('conflict');
  return new ApiError('internal_error');
}

/** The client went away in the middle of its body: nobody reads the answer, and the database is well. */
function isCutOff(error: unknown): boolean {
  const { code, statusCode } = error as FastifyError;
  return code === 'ECONNRESET' && statusCode === 400;
}

function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EHOSTUNREACH)$/.test(code))
    return true;
  return /Connection terminated|connection error|timeout exceeded when trying to connect|Query read timeout|Client was closed/i.test(
    error.message,
  );
}

function fastifyError(error: FastifyError): ApiError {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new ApiError('invalid_json');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('invalid_url');
    default:
      return error.statusCode === 400 ? new ApiError('invalid_json') : new ApiError('internal_error');
  }
}
