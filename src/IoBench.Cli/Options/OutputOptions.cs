using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <param name="isReportOnly">The command writes only a report, so <c>--output</c> names the report too.</param>
/// <param name="asksWhatWasBought">Adds the option for provisioned limits, which are used only in the report.</param>
internal sealed class OutputOptions(bool isReportOnly = false, bool asksWhatWasBought = false)
{
    private readonly RowOptions _files = new(
        (isReportOnly ? OptionTables.ReportOutput : OptionTables.Output).Where(row => row.Name != Opt.Force.Name)
    );
    private readonly RowOptions _look = new(OptionTables.ReportLook);
    private readonly RowOptions _judging = new(OptionTables.Judging);
    private readonly RowOptions _bought = new(
        OptionTables.Report.Except(OptionTables.Judging).Except(OptionTables.ReportLook).Where(_ => asksWhatWasBought)
    );
    private readonly RowOptions _force = new(OptionTables.Output.Where(row => row.Name == Opt.Force.Name));

    public void AddTo(Command command)
    {
        foreach (var options in new[] { _files, _look, _judging, _bought, _force })
            options.AddTo(command);
    }

    /// <summary>Does not open the files: see <see cref="OutputPlan.Open"/>.</summary>
    public OutputPlan Read(ParseResult parsed, DateTime now)
    {
        var (files, judging, look) = (_files.Read(parsed), _judging.Read(parsed), _look.Read(parsed));
        Throughput.Units = judging.Value<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
        var format = files.Text(new OptionName("Format")) is { } name ? ResultFormats.FindWritable(name) : null;
        // "-" is standard output, where results go without a file.
        var output = files.Text(Opt.OutputPath) is { } file && file != "-" ? OutputName.FillIn(file, now) : null;
        return new OutputPlan
        {
            Format = format,
            OutputPath = output,
            OutputFormat = output is null ? null : FormatOf(output, format),
            ReportPath = files.Text(new OptionName("ReportPath")) is { } report ? OutputName.FillIn(report, now) : null,
            Title = look.Text(new OptionName("Title")),
            NoSummary = look.IsOn(new OptionName("NoSummary")),
            Classic = look.IsOn(new OptionName("Classic")),
            Force = _force.Read(parsed).IsOn(Opt.Force),
            Storage = judging.Value<StorageClass>(new OptionName("Storage")),
            Bought = _bought.Read(parsed).Text(new OptionName("Specification")) is { } bought ? StorageSpecification.Parse(bought) : null,
        };
    }

    private static ResultFormat FormatOf(string path, ResultFormat? format)
    {
        if (OutputName.IsReport(path))
            throw Wrong($"{path} is a report: use {new OptionName("ReportPath")} for it.");
        // A stream has no extension. A later check refuses it with a better message.
        return ResultFormats.ForFile(path)
            ?? format
            ?? (
                path.StartsWith("/dev/", StringComparison.Ordinal)
                    ? ResultFormat.Json
                    : throw Wrong(
                        $"{path} has no known extension: end it in .json, .csv or .xml, or add {new OptionName("Format", "sqlio")} or diskspd."
                    )
            );
    }

    private static IoBenchException Wrong(IoText message) => IoBenchException.Usage("IoBench.Usage", $"{Opt.OutputPath}: {message}");
}
