import type { JsonText } from '../documents';
import { encodeString } from '../json/strings';

/** Returns a text or null as JSON. */
export const orNull = (text: string | null): JsonText => (text === null ? 'null' : encodeString(text));
