import type { JsonText } from '../documents';
import { encodeString } from '../json/strings';

export const orNull = (text: string | null): JsonText => (text === null ? 'null' : encodeString(text));
