/**
 * Returns the answer of the service to a query at the path of the entity, with the query as JSON. Throws if the status
 * is not 200.
 */
export async function askQuery<T = Record<string, unknown>[]>(
  { url }: { readonly url: string },
  path: string,
  query?: unknown,
): Promise<T> {
  const parameters = query === undefined ? '' : `?${new URLSearchParams({ query: JSON.stringify(query) })}`;
  const answer = await fetch(`${url}/pdb/query/v4/${path}${parameters}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
