import { CONSTANCIA_MAX_MB, CONSTANCIA_TIPOS } from '~/domain/facturacion/publico/limites';
import { ArchivoInput } from '~/ui/ArchivoInput';
import { Panel } from '~/ui/Blocks';
import type { ConstanciaLeida } from '~/domain/facturacion/publico/publicoConstancia.server';

/** The page of the SAT that gives a person their constancia. */
export const SAT = 'https://www.sat.gob.mx/aplicacion/53027/genera-tu-constancia-de-situacion-fiscal';

/** The field of the constancia. The customer's own document fills the form; typing the data does the same. */
export function Constancia({ error }: { error: string | undefined }) {
  return (
    <section className="constancia" aria-labelledby="constancia-titulo">
      <h3 id="constancia-titulo">¿Tienes tu Constancia de Situación Fiscal?</h3>
      <p className="nota">
        Sube el PDF del SAT, o una foto de su código QR, y llenamos estos datos por ti. No la guardamos.
      </p>
      <ArchivoInput
        name="constancia"
        accept={CONSTANCIA_TIPOS}
        aria-label={`PDF de tu constancia o foto de su código QR, de ${CONSTANCIA_MAX_MB} MB o menos`}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : 'constancia-error'}
        data-lee="leerConstancia"
      />
      {error !== undefined && (
        <p id="constancia-error" className="error">
          {error}
        </p>
      )}
      <button
        type="submit"
        name="intent"
        value="leerConstancia"
        formEncType="multipart/form-data"
        formNoValidate
        className="boton"
      >
        Leer mi constancia
      </button>
      <details>
        <summary>¿Dónde está cada dato en mi constancia?</summary>
        <Dibujo />
        <ol className="leyenda">
          <li>
            <strong>RFC</strong>: en el primer recuadro, «RFC».
          </li>
          <li>
            <strong>Razón Social</strong>: «Denominación/Razón Social» o «Nombre (s)» con los apellidos, sin el tipo de
            sociedad (SA DE CV).
          </li>
          <li>
            <strong>Código postal</strong>: el de «Datos del domicilio registrado», no el de tu entrega.
          </li>
          <li>
            <strong>Régimen</strong>: al final, en «Regímenes», uno sin fecha de fin.
          </li>
        </ol>
        <p className="nota">
          <a href={SAT} target="_blank" rel="noopener noreferrer">
            Descargar mi constancia del SAT
          </a>
        </p>
      </details>
    </section>
  );
}

/** The data found in the constancia, above the fields they filled. */
export function Leida({ resultado }: { resultado: ConstanciaLeida | undefined }) {
  if (!resultado) return null;
  if (!resultado.leida) return <Panel tono="aviso">{resultado.texto}</Panel>;
  const { faltan, regimenes, aviso } = resultado;
  return (
    <Panel tono="ok" titulo="Leímos tu constancia. Compara los datos antes de guardar.">
      {regimenes.length > 1 && <p>Tiene {regimenes.length} regímenes: elige con cuál quieres tu factura.</p>}
      {aviso !== undefined && <p>{aviso}</p>}
      {faltan.length > 0 && <p>No encontramos: {faltan.join(', ')}. Escríbelo como aparece en ella.</p>}
    </Panel>
  );
}

/** A page of the SAT with the four places one needs. */
function Dibujo() {
  return (
    <svg viewBox="0 0 320 300" role="img" aria-label="Una constancia con los cuatro datos señalados">
      <rect x="20" y="4" width="280" height="292" rx="6" fill="var(--papel)" stroke="var(--linea-fuerte)" />
      <g fill="var(--linea)">
        <rect x="36" y="18" width="52" height="12" rx="2" />
        <rect x="96" y="18" width="36" height="12" rx="2" />
        <rect x="36" y="44" width="44" height="44" rx="2" fill="var(--linea-fuerte)" />
        <rect x="90" y="48" width="84" height="6" rx="3" />
        <rect x="90" y="62" width="104" height="6" rx="3" />
        <rect x="90" y="76" width="64" height="6" rx="3" />
      </g>
      <Zona y={102} titulo="Datos de Identificación del Contribuyente" />
      <Dato n={1} y={122} label="RFC:" ancho={96} />
      <Dato n={2} y={142} label="Nombre / Razón Social:" ancho={112} />
      <Zona y={172} titulo="Datos del domicilio registrado" />
      <Dato n={3} y={192} label="Código Postal:" ancho={48} />
      <Zona y={226} titulo="Regímenes" />
      <Dato n={4} y={246} label="Régimen" ancho={150} />
      <rect x="36" y="270" width="180" height="6" rx="3" fill="var(--linea)" />
    </svg>
  );
}

const LETRA = { fontSize: 10, fill: 'var(--tinta)' };

function Zona({ y, titulo }: { y: number; titulo: string }) {
  return (
    <>
      <rect x="32" y={y} width="256" height="15" fill="var(--hundido)" />
      <text x="38" y={y + 11} {...LETRA} fontWeight="600">
        {titulo}
      </text>
    </>
  );
}

function Dato({ n, y, label, ancho }: { n: number; y: number; label: string; ancho: number }) {
  const from = 42 + label.length * 5.2;
  return (
    <>
      <text x="38" y={y + 11} {...LETRA}>
        {label}
      </text>
      <rect x={from} y={y} width={ancho} height="16" rx="3" fill="var(--acento-tenue)" stroke="var(--acento)" />
      <circle cx={from + ancho} cy={y} r="8" fill="var(--relleno)" />
      <text x={from + ancho} y={y + 3.5} fontSize="10" fontWeight="700" textAnchor="middle" fill="var(--sobre-relleno)">
        {n}
      </text>
    </>
  );
}
