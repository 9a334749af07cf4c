import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { toWire, withParams } from '~/core/list';
import { MARKET_LABEL } from '~/core/market';
import { isMes } from '~/core/text';
import { mesBefore, nombreOfMes } from '~/core/time';
import { mesOf, mesProblem } from '~/domain/facturacion/mes/mes';
import { readLoQueVe } from '~/domain/facturacion/plataformas/loQueVe.server';
import { listRetenciones } from '~/domain/facturacion/plataformas/retenciones.server';
import { defineActions } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { Dialog } from '~/ui/Dialog';
import { MesPicker } from '~/ui/MesPicker';
import { Refusal, useAnswer, useAsked } from '~/ui/useAnswer';
import { XmlSuelto } from '~/ui/XmlSuelto';
import { db } from '~db/shared.server';
import { retencionActions } from './actions';
import { Documentos } from './Documentos';
import { Mercado } from './Mercado';
import type { RetencionesLeidas } from './textos';
import '../mes/facturacionGeneral.css';
import './loQueVeElSat.css';

export const meta: MetaFunction = () => [{ title: 'Lo que el SAT ve' }];

/** Without a month in the address the page shows the last whole one: marketplaces issue its CFDI in the next. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const hoy = mesOf(new Date());
  const dicho = search.get('mes');
  const mes = dicho && isMes(dicho) ? dicho : mesBefore(hoy);
  const aviso = mesProblem(dicho, `Se muestra ${nombreOfMes(mes)}.`);
  if (aviso) markUnprocessable(request);
  const puede = can(usuario, 'plataformas.subir');
  const [mercados, documentos] = await Promise.all([readLoQueVe(db(), mes), listRetenciones(db(), mes)]);
  return {
    hoy,
    mes,
    aviso,
    puede,
    subir: puede && search.get('xml') === '1',
    // Names come from here: with their table in the browser every list would fetch more.
    mercados: toWire(mercados).map((one) => ({ ...one, nombre: MARKET_LABEL[one.market] })),
    documentos: toWire(documentos).map((one) => ({ ...one, mercado: MARKET_LABEL[one.market] })),
  };
}

export const action = defineActions(retencionActions);

/** What each marketplace told the SAT of a month, beside what we charged. */
export default function LoQueVeElSat() {
  const { hoy, mes, aviso, puede, subir, mercados, documentos } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const asked = useAsked();
  const anio = mes.slice(0, 4);
  return (
    <>
      <PageHeader
        titulo="Lo que el SAT ve"
        nota="Lo que cada mercado le reporta de nosotros, según su CFDI de retenciones, contra lo nuestro."
      >
        <a className="boton" href={`${area}/descargas/loQueVeElSat/${anio}`} download>
          Excel de {anio}
        </a>
        {puede && (
          <Link
            className="boton"
            data-tono="acento"
            to={withParams(search, { xml: '1' })}
            preventScrollReset
            discover="none"
          >
            Subir XML
          </Link>
        )}
      </PageHeader>
      {aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {aviso}
        </p>
      )}
      <div className="barra-reporte">
        <MesPicker mes={mes} max={hoy} without={['xml']} />
      </div>
      <Refusal of="quitarRetencion" />
      <div className="sat-mercados">
        {mercados.map((mercado) => (
          <Mercado key={mercado.market} mercado={mercado} mes={mes} />
        ))}
      </div>
      <Documentos documentos={documentos} mes={mes} puede={puede} />
      {subir && !asked && (
        <Dialog titulo="CFDI de retenciones en XML" cerrar={withParams(search, { xml: null })}>
          <Soltar mercados={mercados} />
        </Dialog>
      )}
    </>
  );
}

function Soltar({ mercados }: { mercados: { market: string; nombre: string }[] }) {
  const { search } = useLocation();
  const leidas = useAnswer('subirRetenciones')?.resultado as RetencionesLeidas | undefined;
  return (
    <XmlSuelto
      intent="subirRetenciones"
      titulo="XML de Mercado Libre o Amazon"
      nota="Suelta aquí los CFDI de retenciones (hasta 20, de 4 MB cada uno) o elígelos."
      leidos={
        leidas && (
          <p>
            Los demás se leyeron:{' '}
            {leidas.meses.map((mes, at) => (
              <span key={mes}>
                {at > 0 && ', '}
                <Link to={withParams(search, { mes, xml: null })}>{nombreOfMes(mes)}</Link>
              </span>
            ))}
            .
          </p>
        )
      }
    >
      <NativeSelect
        className="sat-mercado"
        name="market"
        label="Mercado"
        defaultValue=""
        data={[
          { value: '', label: 'El de su emisor' },
          ...mercados.map(({ market, nombre }) => ({ value: market, label: nombre })),
        ]}
      />
    </XmlSuelto>
  );
}
