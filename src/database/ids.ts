// The ids that the service makes: UUID version 7, which sort by the time they were made.
import { v5, v7 } from 'uuid';

export function newId(): string {
  return v7();
}

/** The same name in the same namespace always gives the same id (UUID version 5). */
export function derivedId(namespace: string, name: string): string {
  return v5(name, namespace);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return uuid.test(text);
}
