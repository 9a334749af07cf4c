/** The text of db/schema.sql for the database that `ask` sends a statement to. */
export function schemaOf<Row extends object>(ask: (statement: string) => Promise<Row[]>): Promise<string>;
