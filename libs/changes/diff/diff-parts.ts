import type { DiffPart } from './diff-part';
import { edgePart } from './edge-part';
import { factPart } from './fact-part';
import { packagePart } from './package-part';
import { resourcePart } from './resource-part';

export const diffParts: readonly DiffPart[] = [factPart, resourcePart, edgePart, packagePart] as DiffPart[];
