#!/bin/sh
# Draws the images of README and docs from workbooks that the report tests create, as LibreOffice shows them.
# report.png and report-latency.png show a suite with invented numbers, and report-sweep.png shows a sweep.
# Usage: IOBENCH_PICTURES=FOLDER dotnet test Tests/IoBench.Reports.Tests && docs/images/draw.sh FOLDER
# Requires soffice, pdftoppm, and pdftotext.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw WORKBOOK TITLE IMAGE HEIGHT [WIDTH]: draws the page that begins with the title (the first page if the title is empty).
# HEIGHT and WIDTH are in pixels.
draw() {
    pdf="$work/$(basename "$1" .xlsx).pdf"
    [ -e "$pdf" ] || soffice --headless "-env:UserInstallation=file://$work/profile" --convert-to pdf --outdir "$work" "$1" >/dev/null
    page=1
    until [ -z "$2" ] || pdftotext -f "$page" -l "$page" "$pdf" - | head -n 1 | grep -q "^$2"; do
        page=$((page + 1))
        [ "$page" -lt 100 ] || { echo "no page of $1 begins with $2" >&2; exit 1; }
    done
    pdftoppm -png -singlefile -r 110 -x 20 -y 20 -W "${5:-1190}" -H "$4" -f "$page" -l "$page" "$pdf" "$here/$3"
}

draw "$1/example.xlsx" "" report 800
draw "$1/example.xlsx" "Latency:" report-latency 860
draw "$1/queue-depths.xlsx" "Sweep:" report-sweep 860 960
