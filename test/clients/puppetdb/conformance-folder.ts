import { join } from 'node:path';

export const conformanceFolder = join(__dirname, '../../conformance');
