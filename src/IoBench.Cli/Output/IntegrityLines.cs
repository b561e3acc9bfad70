using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class RunMessages
{
    public const int MaxIntegrityErrors = 10;

    public static void WriteIntegrity(CliConsole console, IReadOnlyList<IoTestResult> results)
    {
        foreach (var integrity in results.Select(result => result.Integrity).OfType<IoIntegrity>().Where(i => i.ErrorCount > 0))
            WriteIntegrityErrors(console.Error, integrity);
    }

    public static void WriteIntegrity(CliConsole console, IoTestResult result, ResultFormat? format)
    {
        if (format is { } wanted)
        {
            ResultWriter.Write(console.GetDataWriter(wanted), [result], wanted);
            return;
        }
        foreach (var answer in IntegrityResult.Find([result]))
        {
            console.Out.WriteLine(answer.Summary);
            foreach (var (name, value) in answer.Integrity.Crash!.Facts)
                console.Out.WriteLine($"  {name}: {value}");
            WriteIntegrityErrors(console.Out, answer.Integrity);
        }
    }

    public static void WriteIntegrityErrors(TextWriter writer, IoIntegrity integrity)
    {
        foreach (var error in integrity.Errors.Take(MaxIntegrityErrors))
            writer.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"  {error.Time:HH:mm:ss.fff} {IntegrityMessages.Describe(error)}")
            );
        if (integrity.ErrorCount > MaxIntegrityErrors)
            writer.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"  ... {integrity.ErrorCount - Math.Min(MaxIntegrityErrors, integrity.Errors.Count):#,##0} more"
                )
            );
    }
}
