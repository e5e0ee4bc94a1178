// Notes on purchase orders: like an order's, with a type.
import type { Write } from '../http/api.ts';
import { type Note, newNote } from '../notes.ts';
import type { NoteInput } from './schema.ts';

const defaultType = 'internal';

export function newNotes(write: Write, inputs: readonly NoteInput[]): (Note & { type: string })[] {
  return inputs.map((input) => {
    const { content, type = null } = typeof input === 'string' ? { content: input } : input;
    return { ...newNote(write, content), type: type ?? defaultType };
  });
}
