using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <param name="isReportOnly">The command writes only a report, so <c>--output</c> names the report too.</param>
/// <param name="asksWhatWasBought">Adds the option for provisioned limits, which are used only in the report.</param>
/// <param name="hasMetrics">Adds the option for metrics for monitoring.</param>
internal sealed class OutputOptions(bool isReportOnly = false, bool asksWhatWasBought = false, bool hasMetrics = false)
{
    private readonly CommandOptionSet _files = new(
        (isReportOnly ? OptionTables.ReportOutput : OptionTables.Output).Where(row => row.Name != OptionNames.Force.Name)
    );
    private readonly CommandOptionSet _metrics = new(OptionTables.Metrics.Where(_ => hasMetrics));
    private readonly CommandOptionSet _reportAppearance = new(OptionTables.ReportLook);
    private readonly CommandOptionSet _rating = new(OptionTables.Judging);
    private readonly CommandOptionSet _provisioned = new(
        OptionTables.Report.Except(OptionTables.Judging).Except(OptionTables.ReportLook).Where(_ => asksWhatWasBought)
    );
    private readonly CommandOptionSet _force = new(OptionTables.Output.Where(row => row.Name == OptionNames.Force.Name));

    public void AddTo(Command command)
    {
        foreach (var options in new[] { _files, _metrics, _reportAppearance, _rating, _provisioned, _force })
            options.AddTo(command);
    }

    /// <summary>Does not open the files: see <see cref="OutputDestinations.OpenFiles"/>.</summary>
    public OutputDestinations ReadTargets(ParseResult parsed, DateTime now)
    {
        var files = _files.ReadValues(parsed);
        var judging = _rating.ReadValues(parsed);
        var look = _reportAppearance.ReadValues(parsed);
        ThroughputDisplay.Units = judging.GetValue<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
        var format = files.GetText(new OptionName("Format")) is { } name ? ResultFormats.FindWritable(name) : null;
        // "-" is standard output, where results go without a file.
        var output = files.GetText(OptionNames.OutputPath) is { } file && file != "-" ? RunOutputs.ReplacePlaceholders(file, now) : null;
        return new OutputDestinations
        {
            Format = format,
            OutputPath = output,
            OutputFormat = output is null ? null : GetFormat(output, format),
            ReportPath = files.GetText(new OptionName("ReportPath")) is { } report ? RunOutputs.ReplacePlaceholders(report, now) : null,
            MetricsPath = _metrics.ReadValues(parsed).GetText(new OptionName("MetricsPath")),
            Title = look.GetText(new OptionName("Title")),
            NoSummary = look.IsOn(new OptionName("NoSummary")),
            Classic = look.IsOn(new OptionName("Classic")),
            Body = IsBody(look, files),
            Force = _force.ReadValues(parsed).IsOn(OptionNames.Force),
            Storage = judging.GetValue<StorageClass>(new OptionName("Storage")),
            ProvisionedStorage = _provisioned.ReadValues(parsed).GetText(new OptionName("Provisioned")) is { } bought
                ? StorageSpecification.Parse(bought)
                : null,
            ErrorLogPaths = _provisioned.ReadValues(parsed).GetList<string>(new OptionName("ErrorLogPath")),
        };
    }

    private static bool IsBody(OptionValues look, OptionValues files)
    {
        if (!look.IsOn(new OptionName("Body")))
            return false;
        if (files.GetText(new OptionName("ReportPath")) is { } report)
            Reports.Report.CheckBody(report);
        return true;
    }

    private static ResultFormat GetFormat(string path, ResultFormat? format)
    {
        if (RunOutputs.IsReportName(path))
            throw CreateOutputPathError($"{path} is a report. For a report, use {new OptionName("ReportPath")}.");
        // A stream has no extension. A later check refuses it with a better message.
        return ResultFormats.FindByExtension(path)
            ?? format
            ?? (
                path.StartsWith("/dev/", StringComparison.Ordinal)
                    ? ResultFormat.Json
                    : throw CreateOutputPathError(
                        $"{path} has an unknown extension. Use .json, .csv, or .xml, or add {new OptionName("Format", "sqlio")} or diskspd."
                    )
            );
    }

    private static IoBenchException CreateOutputPathError(IoMessage message) =>
        IoBenchException.Usage("IoBench.Usage", $"{OptionNames.OutputPath}: {message}");
}
