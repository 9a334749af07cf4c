import { z } from 'zod';
import type { EffectCall } from '~/platform/effects/definition';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { isSwapped } from './atencion.server';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type {
  Acto,
  BloqueoDeComprador,
  MensajeEnReclamo,
  ResolucionDeReclamo,
  RespuestaAPregunta,
} from '../../efectos';

type Question = NonNullable<Awaited<ReturnType<MercadolibreWriter['question']>>>;

/** Returns a text as two texts are compared: Mercado Libre trims, and joins lines in its own way. */
const llano = (texto: string) => texto.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Tells whether the question holds our answer. An answer that Mercado Libre took away has no text; nobody else's answer would be left without one. */
function isOurs({ answer }: Question, { texto }: RespuestaAPregunta): boolean {
  return answer != null && (llano(answer.text) === llano(texto) || (answer.text === '' && answer.status === 'BANNED'));
}

/** Returns 'nuestra' when our answer stands there, null while the question waits. Throws Refused when it can no longer be answered, with the answer of somebody else. */
function requireSinRespuesta(question: Question | null, respuesta: RespuestaAPregunta): 'nuestra' | null {
  if (!question) throw new Refused('La pregunta ya no existe en Mercado Libre.');
  if (question.answer) {
    if (isOurs(question, respuesta)) return 'nuestra';
    throw new Refused(`Ya la respondió alguien más: «${question.answer.text}»`);
  }
  if (question.status === 'UNANSWERED' || question.status == null) return null;
  throw new Refused('Mercado Libre ya no deja responder esta pregunta.');
}

async function answer(ml: MercadolibreWriter, request: RespuestaAPregunta): Promise<string> {
  if (requireSinRespuesta(await ml.question(request.marketId), request) === 'nuestra') return request.texto;
  try {
    return (await ml.answerQuestion(request.marketId, request.texto)) ?? request.texto;
  } catch (error) {
    if (!(error instanceof Refused) || error.details.account) throw error;
    // The word of a refused second answer is not known: the question itself tells whose answer stands.
    if (requireSinRespuesta(await ml.question(request.marketId), request) === 'nuestra') return request.texto;
    throw new Refused(noOf(error.details), { ...error.details, cause: error });
  }
}

/** Reasons of Mercado Libre for refusing an answer, by what its code or its text says. */
const NOES: readonly [RegExp, string][] = [
  [
    /not.?unanswered|already.?answered|invalid.?question/i,
    'La pregunta ya tiene respuesta en Mercado Libre, o ya no se puede responder.',
  ],
  [
    /not.?active|inactive|closed|paused/i,
    'La publicación está pausada o terminada: Mercado Libre no deja responder sus preguntas.',
  ],
  [/length|too.?long|max.?char/i, 'La respuesta es más larga de lo que admite Mercado Libre.'],
  [
    /denied|forbidden.?(?:text|word)|invalid.?text|moderat|contact/i,
    'Mercado Libre no admite ese texto: quita teléfonos, correos, enlaces y palabras prohibidas.',
  ],
  [/banned|blocked|deleted.?user|invalid.?user/i, 'Mercado Libre no deja responder a esa persona.'],
];

/** Returns why Mercado Libre did not take an answer, in words; words that are not known are Mercado Libre's own. */
function noOf({ code, detail, status }: Refused['details']): string {
  const said = [code, detail].filter(Boolean).join(' ');
  return (
    NOES.find(([pattern]) => pattern.test(said))?.[1] ??
    `Mercado Libre no aceptó la respuesta: «${detail || code || `error ${status}`}».`
  );
}

/**
 * Answers a question. Mercado Libre takes one answer, so an unclear one is found in the question itself. Somebody else's answer there proves
 * that ours did not arrive: ours is sent once more, and that send is refused with the other answer.
 */
export const responder: Acto<RespuestaAPregunta, { texto: string }, { texto: string }> = {
  type: 'pregunta.responder',
  label: 'Respuesta a una pregunta',
  connection: 'mercadolibre',
  evidence: z.object({ texto: z.string() }),
  byHand: { says: 'done', evidence: { texto: '' } },
  unclear: 'find',
  send: async ({ request, clients }) => ({ texto: await answer(clients.ml(), request) }),
  async find({ request, clients }, known) {
    if (known) return known;
    const question = await clients.ml().question(request.marketId);
    return question && isOurs(question, request) ? { texto: question.answer?.text || request.texto } : 'absent';
  },
  confirm: async (_call, evidence) => evidence,
};

const Nada = z.object({});
type Nada = z.output<typeof Nada>;

/** Keeps a buyer from asking and from buying, or lets the buyer again. Saying the same twice changes nothing. */
export const bloquear: Acto<BloqueoDeComprador, unknown, Nada> = {
  type: 'comprador.bloquear',
  label: 'Bloqueo de un cliente',
  connection: 'mercadolibre',
  evidence: Nada,
  byHand: { says: 'done', evidence: {} },
  unclear: 'repeat',
  sinMirada: 'Decirlo dos veces no cambia nada.',
  again: true,
  async send({ request: { compradorId, bloquear: blocked }, clients }) {
    await clients.ml().setBlocked(compradorId, blocked);
    return {};
  },
  confirm: async (_call, evidence) => evidence,
};

/** Uploads the evidence of a message and returns the names that Mercado Libre gives to the files. A file alone changes nothing there, so it may be sent as often as it takes. */
async function upload(
  { db, clients }: Pick<EffectCall<unknown>, 'db' | 'clients'>,
  { marketId, archivos }: Pick<MensajeEnReclamo, 'marketId' | 'archivos'>,
  of: 'claim' | 'return' = 'claim',
): Promise<string[]> {
  const nombres: string[] = [];
  for (const { id, nombre, tipo } of archivos) {
    const archivo = await readArchivo(db, id);
    if (!archivo) throw new Refused(`El archivo «${nombre}» ya no está. Elígelo otra vez.`);
    try {
      nombres.push(await clients.ml().uploadEvidence(marketId, { nombre, tipo, contenido: archivo.contenido }, of));
    } catch (error) {
      if (error instanceof Uncertain || error instanceof UnexpectedShape)
        throw new Unavailable(`El archivo «${nombre}» no llegó.`, { cause: error });
      throw error;
    }
  }
  return nombres;
}

/** Returns the messages of ours in a claim that have the text of this one and were not there before it. */
async function mensajesNuestros({ request: { marketId, texto, antes }, clients }: EffectCall<MensajeEnReclamo>) {
  const mensajes = await clients.ml().claimMessages(marketId);
  return mensajes.filter(
    ({ sender_role, message, hash }) =>
      sender_role === 'respondent' && llano(message ?? '') === llano(texto) && !(hash && antes.includes(hash)),
  );
}

/** Writes in a claim. The message has no name of ours there: a new message of ours with the same text is taken for it. */
export const escribirEnReclamo: Acto<MensajeEnReclamo, unknown, Nada> = {
  type: 'reclamo.mensaje',
  label: 'Mensaje de un reclamo',
  connection: 'mercadolibre',
  evidence: Nada,
  byHand: { says: 'done', evidence: {} },
  unclear: 'find',
  async send(call) {
    const { marketId, para, texto } = call.request;
    await call.clients.ml().sendClaimMessage(marketId, { para, texto, adjuntos: await upload(call, call.request) });
    return {};
  },
  find: async (call, known) => known ?? ((await mensajesNuestros(call)).length > 0 ? {} : 'absent'),
  async alive(call) {
    const nuestros = await mensajesNuestros(call);
    return nuestros.map(({ hash }, n) => {
      const uid = hash ?? String(n);
      return { uid, uuid: uid, folio: `mensaje ${n + 1}` };
    });
  },
  // Nothing there tells a second message from the first.
  mayRepeat: () => Promise.resolve('Mercado Libre no muestra el mensaje. Míralo allá antes de mandarlo otra vez.'),
  confirm: async (_call, evidence) => evidence,
};

/** The word under which each resolution is listed. No source shows the list, so parts of the likely words are looked for. */
const PALABRAS = {
  refund: /^refund/,
  'partial-refund': /partial/,
  'allow-return': /return/,
  'allow-replace': /replace|change/,
} as const;

/** The actions of a claim that wait for a returned piece to be reviewed. */
const REVISION = ['return_review_ok', 'return_review_fail', 'return_review'];

/** Tells whether a resolution is under way or done: the claim ended, the resolution is listed, or the action can no longer be asked for. */
async function isResolved(ml: MercadolibreWriter, { marketId, resolucion }: ResolucionDeReclamo): Promise<boolean> {
  const claim = await ml.claim(marketId);
  if (!claim) return false;
  if (resolucion === 'open-dispute') return claim.stage === 'dispute';
  // Nobody shows how a review is told. A review that is no longer offered was done, or cannot be done any more.
  if (resolucion === 'return-review' || resolucion === 'return-review-fail')
    return !claim.players.some(
      ({ role, available_actions: acciones }) =>
        role === 'respondent' && acciones.some(({ action }) => REVISION.includes(action)),
    );
  const palabras = PALABRAS[resolucion];
  const pedidas = await ml.expectedResolutions(marketId);
  if (
    pedidas.some(
      ({ player_role, expected_resolution, status }) =>
        player_role === 'respondent' && palabras.test(expected_resolution ?? '') && status !== 'rejected',
    )
  )
    return true;
  // The buyer accepted it: the claim names the change.
  if (resolucion === 'allow-replace') return isSwapped(claim);
  const reason = claim.resolution?.reason ?? '';
  return claim.status === 'closed' && (resolucion === 'partial-refund' ? /partial/ : /refund|return/).test(reason);
}

/** Ends a claim with money. An unclear end is looked for in the claim; nobody sends it twice but a person who looked. */
export const resolverReclamo: Acto<ResolucionDeReclamo, unknown, Nada> = {
  type: 'reclamo.resolver',
  label: 'Resolución de un reclamo',
  connection: 'mercadolibre',
  evidence: Nada,
  byHand: { says: 'done', evidence: {} },
  unclear: 'find',
  async send(call) {
    const { request, clients } = call;
    const { marketId, resolucion, porcentaje, devolucionId, objecion } = request;
    if (resolucion === 'open-dispute') await clients.ml().openDispute(marketId);
    else if (resolucion === 'return-review') await clients.ml().acceptReturn(devolucionId!);
    else if (resolucion === 'return-review-fail') {
      const { motivo, texto, archivos } = objecion!;
      const adjuntos = await upload(call, { marketId, archivos }, 'return');
      await clients.ml().objectToReturn(devolucionId!, { motivo, texto, adjuntos });
    } else await clients.ml().resolveClaim(marketId, resolucion, porcentaje);
    return {};
  },
  find: async ({ request, clients }, known) => known ?? ((await isResolved(clients.ml(), request)) ? {} : 'absent'),
  mayRepeat: () =>
    Promise.resolve('Mercado Libre no muestra que se haya hecho. Revisa el reclamo allá antes de enviarlo otra vez.'),
  confirm: async (_call, evidence) => evidence,
};
