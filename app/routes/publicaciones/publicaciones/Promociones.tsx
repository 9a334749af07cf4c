import { Form } from '@remix-run/react';
import { Money } from '~/core/money';
import { MERCADOS } from '~/domain/mercados/mercados';
import { estadoOfPromocion, loQueDeja } from '~/domain/publicaciones/publicaciones/promocion';
import { Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';
import { Hidden } from '~/ui/useAnswer';
import type { PublicacionAbierta } from './record';

type Vista = NonNullable<PublicacionAbierta['promociones']>;
type Promocion = Vista['promociones'][number];

/** The promotions that the marketplace holds of a listing: at which price, what each would leave, and 'Excluir' for those that run. */
export function Promociones({ publicacion }: { publicacion: PublicacionAbierta }) {
  const { id, market, promociones: vista, puede } = publicacion;
  if (!vista) return null;
  const { promociones, excluida, dicho, dichoEn, leidaEn, error, enCamino, sePregunta } = vista;
  const { label } = MERCADOS[market];
  const quedo = excluida === true && !promociones.some(({ bajo }) => bajo);
  return (
    <>
      <h3>Promociones</h3>
      {enCamino && (
        <p className="nota" role="status">
          La exclusión va en camino a {label}.
        </p>
      )}
      {dicho !== null && quedo && (
        <p className="nota" role="status">
          <Fecha valor={dichoEn} /> · {dicho}
        </p>
      )}
      {dicho !== null && !quedo && (
        <Panel tono="aviso" titulo={dicho}>
          <Fecha valor={dichoEn} />
        </Panel>
      )}
      {promociones.length > 0 && (
        <ul className="promociones">
          {promociones.map((una) => (
            <Una key={una.id} una={una} puede={puede.editar} />
          ))}
        </ul>
      )}
      <p className="nota">
        {leidaEn === null
          ? `Todavía no se sabe en cuáles está${error === null ? '.' : `: ${error}`}`
          : promociones.length === 0 && 'No está en ninguna.'}{' '}
        {excluida === true && dicho === null && `${label} no la pone en promociones por su cuenta: así se pidió.`}{' '}
        {leidaEn !== null && (
          <>
            Se leyeron <Edad valor={leidaEn} vieja={error !== null} />.
          </>
        )}{' '}
        {leidaEn !== null && error !== null && `La última lectura no salió: ${error}`}
      </p>
      {puede.leer && sePregunta && (
        <Form method="post" className="botones" preventScrollReset>
          <Hidden intent="leerPromociones" id={id} />
          <button type="submit" className="boton" title={`Pregunta a ${label}`}>
            Leer promociones
          </button>
        </Form>
      )}
    </>
  );
}

/** One promotion: its state and price, what a sale would leave, and its act. */
function Una({ una, puede }: { una: Promocion; puede: boolean }) {
  const { nombre, estado, palabra, precio, original, ponemos, pone, desde, hasta, estima, porque, bajo, soloAlla } =
    una;
  const { label, tono } = estadoOfPromocion(estado, palabra);
  const deja = loQueDeja(una);
  const corre = estado === 'activa' || estado === 'programada';
  return (
    <li data-tono={bajo ? 'mal' : undefined}>
      <div className="promocion-nombre">
        <strong>{nombre}</strong> <Estatus tono={bajo ? 'mal' : tono}>{label}</Estatus>
      </div>
      <div>
        {precio === null ? '—' : formatPesos(precio)}
        {original !== null && <span className="nota"> en vez de {formatPesos(original)}</span>}
        {ponemos !== null && (
          <span className="nota">
            {' '}
            · ponemos {porCiento(ponemos)}
            {pone !== null && `, el mercado ${porCiento(pone)}`}
          </span>
        )}
      </div>
      {(desde !== null || hasta !== null) && (
        <div className="nota">
          {desde !== null && (
            <>
              Desde <Fecha valor={desde} />{' '}
            </>
          )}
          {hasta !== null && (
            <>
              hasta <Fecha valor={hasta} />
            </>
          )}
        </div>
      )}
      {corre && (
        <div>
          {deja === null ? (
            <>
              — <span className="nota">{porque}</span>
            </>
          ) : (
            <>
              <span className={bajo ? 'publicacion-pierde' : undefined}>
                {mayuscula(deja)}
                {bajo && ', bajo el piso'}
              </span>
              {estima.length > 0 && <div className="nota">Estimado {estima.join(', ')}.</div>}
            </>
          )}
        </div>
      )}
      {corre && soloAlla !== null && <div className="nota">{soloAlla}</div>}
      {puede && una.excluir && (
        <Form method="post" className="botones" preventScrollReset>
          <Hidden intent="excluirPromocion" id={una.id} huella={una.huella} />
          <Confirm plain="boton" {...una.excluir}>
            Excluir
          </Confirm>
        </Form>
      )}
    </li>
  );
}

const porCiento = (parte: string) => `${Money.of(parte).toShort()} %`;
const mayuscula = (texto: string) => texto.charAt(0).toUpperCase() + texto.slice(1);
