// kysely's dialect of SQLite, with statements that wait for their turn to write.
import { type DatabaseConnection, type Driver, SelectQueryNode, SqliteDialect, type SqliteDialectConfig } from 'kysely';

export class PatientDialect extends SqliteDialect {
  readonly #turn: () => Promise<void> | undefined;

  /** What `turn` gives must have ended before a statement may write. */
  constructor(config: SqliteDialectConfig, turn: () => Promise<void> | undefined) {
    super(config);
    this.#turn = turn;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async (options) => this.#patient(await acquire(options));
    return driver;
  }

  #patient(connection: DatabaseConnection): DatabaseConnection {
    return {
      executeQuery: async (query, options) => {
        if (!SelectQueryNode.is(query.query)) await this.#turn();
        return connection.executeQuery(query, options);
      },
      streamQuery: (...parameters) => connection.streamQuery(...parameters),
    };
  }
}
