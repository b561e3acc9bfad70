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
    private readonly CommandOptionSet _options = new([
        .. (isReportOnly ? OptionTables.ReportOutput : OptionTables.Output).Where(row => row.Name != OptionNames.Force.Name),
        .. OptionTables.Metrics.Where(_ => hasMetrics),
        .. OptionTables.ReportLook,
        .. OptionTables.Rating,
        .. OptionTables.Report.Except(OptionTables.Rating).Except(OptionTables.ReportLook).Where(_ => asksWhatWasBought),
        .. OptionTables.Output.Where(row => row.Name == OptionNames.Force.Name),
    ]);

    public void AddTo(Command command) => _options.AddTo(command);

    /// <summary>Does not open the files: see <see cref="OutputDestinations.OpenFiles"/>.</summary>
    public OutputDestinations ReadTargets(ParseResult parsed, DateTime now)
    {
        var values = _options.ReadValues(parsed);
        ThroughputDisplay.Units = values.GetValue<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
        var format = values.GetText(new OptionName("Format")) is { } name ? ResultFormats.FindWritable(name) : null;
        // "-" is standard output, where results go without a file.
        var output = values.GetText(OptionNames.OutputPath) is { } file && file != "-" ? RunOutputs.ReplacePlaceholders(file, now) : null;
        return new OutputDestinations
        {
            Format = format,
            OutputPath = output,
            OutputFormat = output is null ? ResultFormat.Json : GetFormat(output, format),
            ReportPath = values.GetText(new OptionName("ReportPath")) is { } report ? RunOutputs.ReplacePlaceholders(report, now) : null,
            MetricsPath = values.GetText(new OptionName("MetricsPath")),
            ReportOptions = new ReportOptions
            {
                Title = values.GetText(new OptionName("Title")),
                NoSummary = values.IsOn(new OptionName("NoSummary")),
                Classic = values.IsOn(new OptionName("Classic")),
                Body = IsBody(values),
                Storage = values.GetValue<StorageClass>(new OptionName("Storage")),
                Bought = values.GetText(new OptionName("Provisioned")) is { } bought ? StorageSpecification.Parse(bought) : null,
            },
            Force = values.IsOn(OptionNames.Force),
            ErrorLogPaths = values.GetList<string>(new OptionName("ErrorLogPath")),
        };
    }

    private static bool IsBody(OptionValues values)
    {
        if (!values.IsOn(new OptionName("Body")))
            return false;
        if (values.GetText(new OptionName("ReportPath")) is { } report)
            Reports.Report.CheckBody(report);
        return true;
    }

    private static ResultFormat GetFormat(string path, ResultFormat? format)
    {
        if (RunOutputs.IsReportName(path))
            throw CreateOutputPathError($"{path} has the extension of a report. To create a report, use {new OptionName("ReportPath")}.");
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
