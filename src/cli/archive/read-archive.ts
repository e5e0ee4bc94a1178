// Reads a backup from its first line to its last; whatever is missing, changed or left over is told before the end.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { StartError } from '../../start-error.ts';
import { endOfRows, formatName, formatVersion, type Header, type TableHead, type Trailer } from './format.ts';

/** A table: its rows have to be read before the next one is asked for. */
export interface Section extends TableHead {
  rows: AsyncGenerator<Buffer>;
}

export interface Archive {
  header: Header;
  /** Ends once everything was read and the checksum agrees. */
  sections: AsyncGenerator<Section, Trailer['end']>;
  close(): void;
}

const longestLine = 1_048_576;

/** @throws StartError where it is no backup, or one of a newer form */
export async function openArchive(file: string): Promise<Archive> {
  const source = createReadStream(file);
  const unzipped = createGunzip({ chunkSize: 65_536 });
  source.on('error', (error) => unzipped.destroy(error));
  const reader = new Reader(source.pipe(unzipped), file);
  const close = () => {
    source.destroy();
    unzipped.destroy();
  };
  try {
    const header = (await reader.json()) as Header;
    if (header.format !== formatName) throw new StartError(`${file} is no backup of Waybill`);
    if (header.version !== formatVersion) throw new StartError(`${file} was made by a newer Waybill`);
    return { header, sections: sectionsOf(reader, file), close };
  } catch (error) {
    close();
    throw error;
  }
}

async function* sectionsOf(reader: Reader, file: string): AsyncGenerator<Section, Trailer['end']> {
  const rows: Record<string, number> = {};
  for (;;) {
    const sha256 = reader.digest();
    const head = (await reader.json()) as TableHead | Trailer;
    if ('end' in head) {
      await reader.expectEnd();
      if (head.end.sha256 !== sha256) throw new StartError(`${file} is damaged: its checksum is another`);
      return head.end;
    }
    if (head.table in rows) throw new StartError(`${file} is damaged: it has ${head.table} twice`);
    rows[head.table] = 0;
    yield { ...head, rows: reader.rows() };
  }
}

const lineBreak = Buffer.from('\n');
const endOfTable = Buffer.concat([lineBreak, endOfRows]);

class Reader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #file: string;
  readonly #hash = createHash('sha256');
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>, file: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#file = file;
  }

  /** Of all that was read so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** The next line. @throws StartError where it is no JSON object */
  async json(): Promise<object> {
    let end = this.#held.indexOf(10);
    while (end < 0) {
      if (this.#held.length > longestLine || !(await this.#more())) throw this.#broken();
      end = this.#held.indexOf(10);
    }
    const text = this.#take(end + 1).toString();
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      // Said below.
    }
    throw this.#broken();
  }

  /** The bytes of a table's rows, up to the line that ends them. */
  async *rows(): AsyncGenerator<Buffer> {
    // The line that ends a table without rows follows the head at once.
    let before: Buffer = lineBreak;
    for (;;) {
      const searched = Buffer.concat([before, this.#held]);
      const end = searched.indexOf(endOfTable);
      if (end >= 0) {
        const rows = this.#take(end + lineBreak.length - before.length);
        if (rows.length > 0) yield rows;
        this.#take(endOfRows.length);
        return;
      }
      // What might be the beginning of that line is kept until more has come.
      const sure = this.#held.length - endOfTable.length;
      if (sure > 0) {
        const rows = this.#take(sure);
        before = rows.subarray(rows.length - 1);
        yield rows;
      }
      if (!(await this.#more())) throw this.#broken();
    }
  }

  /** @throws StartError where something follows */
  async expectEnd(): Promise<void> {
    if (this.#held.length > 0 || (await this.#more())) throw this.#broken();
  }

  #take(count: number): Buffer {
    const taken = this.#held.subarray(0, count);
    this.#hash.update(taken);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#source.next();
      if (done) return false;
      this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
      return true;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code?.startsWith('Z_')) throw this.#broken();
      throw new StartError(`${this.#file} cannot be read: ${message}`);
    }
  }

  #broken(): StartError {
    return new StartError(`${this.#file} is no backup of Waybill, or not a whole one`);
  }
}
