/**
 * Returns one row, a `Generation`, or none if no generation is live. Takes no values, so that it can open a transaction.
 */
export const liveTablesQuery = `SELECT generation, schema_name AS schema, projection_version AS "projectionVersion"
  FROM nodeledger.generations WHERE state = 'live'`;
