import { defaultLimits, type Limits } from '#limits';
import { JsonScan } from '../json/scan';
import { Members } from './members';
import { Problems } from './problems';
import type { Shape } from './shape';

/** The returned function throws `wire.shape` if the document has problems. `what` names the document in messages. */
export const documentReader =
  <K extends string, T>(what: string, shape: Shape<K>, read: (members: Members<K>) => T) =>
  (text: string, limits: Limits = defaultLimits): T => {
    const problems = new Problems(what);
    const members = new Members(new JsonScan(text, limits), shape, problems);
    members.open(0);
    const document = read(members);
    problems.throwIfAny();
    return document;
  };
