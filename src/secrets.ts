// Encrypts what must be kept readable for the service alone: webhook secrets, carrier credentials (AES-256-GCM).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Secrets {
  /** `place` says whose secret it is; it opens nowhere else. */
  seal(text: string, place: string): Buffer;
  /** @throws where it was sealed under another WAYBILL_SECRET or at another place */
  open(sealed: Buffer, place: string): string;
}

/** Tells two secrets apart without telling either. */
export function fingerprint(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'waybill fingerprint', 16)).toString('hex');
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export function makeSecrets(secret: string | undefined): Secrets {
  let derived: Buffer | undefined;
  const key = () => {
    if (secret === undefined) throw new Error('WAYBILL_SECRET is needed to encrypt');
    derived ??= Buffer.from(hkdfSync('sha256', secret, '', 'waybill secrets', 32));
    return derived;
  };
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key(), nonce).setAAD(Buffer.from(place));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), nonce, cipher.getAuthTag(), encrypted]);
    },
    open(sealed, place) {
      if (sealed[0] !== version) throw new Error('This secret was sealed by a newer version');
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', key(), nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(place))
        .setAuthTag(tag);
      const encrypted = sealed.subarray(1 + nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
    },
  };
}
