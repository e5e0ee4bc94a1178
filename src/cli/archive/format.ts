// What a backup is: text as `COPY` writes it, table by table, between a first and a last line of JSON; all of it gzipped.

/** The first line. */
export interface Header {
  format: typeof formatName;
  version: typeof formatVersion;
  madeAt: string;
  /** Names, in order. */
  migrations: string[];
  /** Sequence -> the last number it gave. */
  sequences: Record<string, string>;
  /** Tells whether a secret is the one that the backed-up service encrypts with; null where that had none. */
  secret: string | null;
}

/** The line before a table's rows, which end with the line `\.`. */
export interface TableHead {
  table: string;
  columns: string[];
}

/** The last line; where it is missing, so is a part of the backup. */
export interface Trailer {
  end: {
    /** Rows by table. */
    rows: Record<string, number>;
    /** Of every byte before this line. */
    sha256: string;
  };
}

export const formatName = 'waybill backup';
export const formatVersion = 1;
export const endOfRows = Buffer.from('\\.\n');

/** What both sides set, so that the text of a value does not depend on the server it comes from or goes to. */
export const sessionSettings = `
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '60s';
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 3`;

/** A name in quotes. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
