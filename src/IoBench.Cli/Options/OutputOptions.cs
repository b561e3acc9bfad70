using System.CommandLine;

namespace IoBench.Cli.Options;

/// <summary>Where results go: standard output in a format, a file, a report.</summary>
internal sealed class OutputOptions
{
    private static readonly string s_names = string.Join(", ", ResultFormats.Writable.Select(format => format.OptionName).Prepend("table"));

    private readonly Option<string[]> _format = OptionText.Create("--format", "NAME", $"On standard output: {s_names}. Default table.", "-f");
    private readonly Option<string[]> _output = OptionText.Create("--output", "FILE", "Results into a file too, saved after each test: .json, .csv, .xml; - is standard output. {date} in the name is today.");
    private readonly Option<string[]> _report = OptionText.Create("--report", "FILE", "Report: an Excel workbook (.xlsx), a page (.html) or one picture (.svg, .png). {date} in the name is today.");
    private readonly RowOptions _look = new(OptionTables.ReportLook);
    private readonly RowOptions _judging = new(OptionTables.Judging);
    private readonly RowOptions _bought = new(OptionTables.Report.Except(OptionTables.Judging).Except(OptionTables.ReportLook));
    private readonly Option<bool> _force = OptionText.CreateFlag("--force", "Replace files that exist; use a test file that IoBench did not make.");

    /// <summary>Adds the options to a command. A command whose only output is the report takes it as <c>--output</c>.</summary>
    /// <param name="reportOnly">Its only output is the report.</param>
    /// <param name="asksWhatWasBought">It takes what was bought only for the report.</param>
    public void AddTo(Command command, bool reportOnly = false, bool asksWhatWasBought = false)
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
        _look.AddTo(command);
        _judging.AddTo(command);
        if (asksWhatWasBought)
            _bought.AddTo(command);
        command.Add(_force);
    }

    /// <summary>What was asked for; the files are taken by <see cref="OutputPlan.Open"/>.</summary>
    public OutputPlan Read(ParseResult parsed, DateTime now)
    {
        var (judging, look) = (_judging.Read(parsed), _look.Read(parsed));
        Throughput.Units = judging.Value<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
        ResultFormat? format = parsed.Text(_format) is { } name ? Format(parsed, name) : null;
        // "-" is standard output, as everywhere: where results go without a file.
        var output = parsed.Text(_output) is { } file && file != "-" ? OutputName.FillIn(file, now) : null;
        return new OutputPlan
        {
            Format = format,
            OutputPath = output,
            OutputFormat = output is null ? null : FormatOf(parsed, output, format),
            ReportPath = parsed.Text(_report) is { } report ? OutputName.FillIn(report, now) : null,
            Title = look.Text(new OptionName("Title")),
            NoSummary = look.IsOn(new OptionName("NoSummary")),
            Classic = look.IsOn(new OptionName("Classic")),
            Force = parsed.GetValue(_force),
            Storage = judging.Value<StorageClass>(new OptionName("Storage")),
            Bought = _bought.Read(parsed).Text(new OptionName("Specification")) is { } bought ? StorageSpecification.Parse(bought) : null,
        };
    }

    private ResultFormat? Format(ParseResult parsed, string name) => name.Equals("table", StringComparison.OrdinalIgnoreCase) ? null
        : ResultFormats.FindWritable(name) ?? throw OptionText.Wrong(parsed, _format, $"'{name}' is not one of {s_names}.");

    private ResultFormat FormatOf(ParseResult parsed, string path, ResultFormat? format)
    {
        if (OutputName.IsReport(path))
            throw OptionText.Wrong(parsed, _output, $"{path} is a report: use --report for it.");
        // A stream's name says no format, and is refused as what it is.
        return ResultFormats.ForFile(path) ?? format ?? (path.StartsWith("/dev/", StringComparison.Ordinal) ? ResultFormat.Json
            : throw OptionText.Wrong(parsed, _output, $"{path} has no known extension: end it in .json, .csv or .xml, or add --format sqlio or diskspd."));
    }
}
