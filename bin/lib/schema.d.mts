/** Returns the text of db/schema.sql for the database behind `ask`. */
export function schemaOf<Row extends object>(ask: (statement: string) => Promise<Row[]>): Promise<string>;
