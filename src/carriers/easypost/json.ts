// JSON from outside, whose texts can be stored.

/** PostgreSQL's text holds neither NUL nor half of a surrogate pair. @throws where it is no JSON */
export function parseJson(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString(), (_, value) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  );
}
