import type { Claims } from './claims';
import type { FiscalDocuments } from './fiscalDocuments';
import type { Items } from './items';
import type { Ledger } from './ledger';
import type { Messages } from './messages';
import type { Notifier } from './notifications';
import type { Oauth } from './oauth';
import type { Places } from './places';
import type { Promotions } from './promotions';
import type { Published } from './published';
import type { Publishing } from './publishing';
import type { Questions } from './questions';
import type { Reports } from './reports';
import type { Switches } from './switches';

/** The parts of Mercado Libre, as the API and the control routes see them. */
export interface Parts {
  ledger(): Ledger;
  oauth: Oauth;
  notifier: Notifier;
  documents: FiscalDocuments;
  messages: Messages;
  items: Items;
  publishing: Publishing;
  published: Published;
  places: Places;
  promotions: Promotions;
  reports: Reports;
  questions: Questions;
  claims: Claims;
  switches(): Switches;
  now(): number;
  changed(): void;
}
