using System.CommandLine;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Options;

/// <summary>Where results go: standard output in a format, a file, a report.</summary>
internal sealed class OutputOptions
{
    private readonly Option<string[]> _format = OptionText.Create("--format", "NAME", "On standard output: table, json, csv, sqlio, diskspd or diskspd-xml. Default table.", "-f");
    private readonly Option<string[]> _output = OptionText.Create("--output", "FILE", "Results into a file too, saved after each test: .json, .csv, .xml. {date} in the name is today.");
    private readonly Option<string[]> _report = OptionText.Create("--report", "FILE", "Report: an Excel workbook (.xlsx) or a page (.html). {date} in the name is today.");
    private readonly Option<string[]> _title = OptionText.Create("--title", "TEXT", "Title of the report.");
    private readonly Option<bool> _noSummary = OptionText.CreateFlag("--no-summary", "Report without its Summary sheet.");
    private readonly Option<bool> _force = OptionText.CreateFlag("--force", "Replace files that exist; use a test file that IoBench did not make.");

    /// <summary>Adds the options to a command. A command whose only output is the report takes it as <c>--output</c>.</summary>
    public void AddTo(Command command, bool reportOnly = false)
    {
        if (reportOnly)
        {
            _report.Aliases.Add("--output");
            _report.Aliases.Add("-o");
        }
        else
        {
            command.Add(_format);
            command.Add(_output);
        }
        command.Add(_report);
        command.Add(_title);
        command.Add(_noSummary);
        command.Add(_force);
    }

    /// <summary>What was asked for; paths are checked by <see cref="OutputPlan.CheckPaths"/>.</summary>
    public OutputPlan Read(ParseResult parsed, DateTime now)
    {
        ResultFormat? format = parsed.Text(_format) is { } name ? Format(parsed, name) : null;
        var output = parsed.Text(_output) is { } file ? OutputPlan.FillIn(file, now) : null;
        return new OutputPlan
        {
            Format = format,
            OutputPath = output,
            OutputFormat = output is null ? null : FormatOf(parsed, output, format),
            ReportPath = parsed.Text(_report) is { } report ? OutputPlan.FillIn(report, now) : null,
            Title = parsed.Text(_title),
            NoSummary = parsed.GetValue(_noSummary),
            Force = parsed.GetValue(_force),
        };
    }

    private ResultFormat? Format(ParseResult parsed, string name) => name.ToUpperInvariant() switch
    {
        "TABLE" => null,
        "JSON" => ResultFormat.Json,
        "CSV" => ResultFormat.Csv,
        "SQLIO" => ResultFormat.Sqlio,
        "DISKSPD" => ResultFormat.DiskSpd,
        "DISKSPD-XML" or "DISKSPDXML" or "XML" => ResultFormat.DiskSpdXml,
        _ => throw OptionText.Wrong(parsed, _format, $"'{name}' is not one of table, json, csv, sqlio, diskspd, diskspd-xml."),
    };

    private ResultFormat FormatOf(ParseResult parsed, string path, ResultFormat? format) => Path.GetExtension(path).ToUpperInvariant() switch
    {
        ".JSON" => ResultFormat.Json,
        ".CSV" => ResultFormat.Csv,
        ".XML" => ResultFormat.DiskSpdXml,
        ".XLSX" or ".HTML" or ".HTM" => throw OptionText.Wrong(parsed, _output, $"{path} is a report: use --report for it."),
        _ => format ?? throw OptionText.Wrong(parsed, _output, $"{path} does not tell its format: end it in .json, .csv or .xml, or add --format sqlio or diskspd."),
    };
}
