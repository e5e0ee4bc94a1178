// A file as text, chunk by chunk, and how much of it has been read.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { StartError } from '../../start-error.ts';

export interface OpenedFile {
  /** Bytes on disk. */
  size: number;
  bytesRead(): number;
  text: AsyncGenerator<string>;
}

export async function openFile(file: string): Promise<OpenedFile> {
  const { size } = await stat(file).catch((error: Error) => {
    throw new StartError(error.message);
  });
  const raw = createReadStream(file);
  const bytes = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => bytes.destroy(error));
  return { size, bytesRead: () => raw.bytesRead, text: decode(file, bytes) };
}

async function* decode(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Text in another encoding would be stored with its letters broken, and nobody would notice.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : message;
    throw new StartError(`${file} cannot be read: ${reason}`);
  }
}
