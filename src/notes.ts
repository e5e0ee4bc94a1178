// Tags and notes, as orders and purchase orders carry them.
import type { User } from './auth/scope.ts';
import { derivedId, newId } from './database/ids.ts';
import type { Write } from './http/api.ts';

/** A tag's id is made from its name: one id per name and organisation, without a table to keep them in. */
export function newTag(organizationId: string, name: string): { id: string; name: string } {
  return { id: derivedId(organizationId, `tag ${name}`), name };
}

export interface Note {
  id: string;
  content: string;
  createdAt: string;
  user: User | null;
}

export function newNote(write: Write, content: string): Note {
  return { id: newId(), content, createdAt: write.now.toISOString(), user: write.scope.user };
}
