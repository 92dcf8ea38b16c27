/**
 * Returns one row, a `Generation`, or no row if no generation is live. Has no parameters, so that it can open a read
 * transaction.
 */
export const liveTablesQuery = `SELECT generation, schema_name AS schema, projection_version AS "projectionVersion"
  FROM nodeledger.generations WHERE state = 'live'`;
