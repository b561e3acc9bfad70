using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

internal sealed class DiskSpdProgram(string program, string file, CancellationToken token)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60),
        s_pollInterval = TimeSpan.FromMilliseconds(20);

    /// <summary>Runs unbuffered 8 KB random I/O like IoBench and returns IOPS.</summary>
    public double Run(int writePercent, int outstanding, int seconds)
    {
        // -Z1M fills the buffers with random data. Storage may compress the default pattern.
        FormattableString line = $"-b8K -d{seconds} -W0 -C0 -t1 -o{outstanding} -r -w{writePercent} -Sh -L -Z1M";
        var start = new ProcessStartInfo(program, [.. line.ToString(CultureInfo.InvariantCulture).Split(' '), file])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            CreateNoWindow = true,
        };
        var (code, output, error) = ExecuteProgram(start);
        using var reader = new StringReader(output);
        var result = DiskSpdTextReader.LooksLike(output) ? DiskSpdTextReader.Read(reader, null).FirstOrDefault() : null;
        if (code == 0 && result?.IOPS > 0)
            return result.IOPS.Value;
        var reason = error.Trim().Length > 0 ? ": " + error.Trim().ReplaceLineEndings(" ") : "";
        throw CreateError($"DiskSpd ended with exit code {code} and without a result{reason}");
    }

    private (int Code, string Output, string Error) ExecuteProgram(ProcessStartInfo start)
    {
        using var process = StartProcess(start);
        var output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        var error = process.StandardError.ReadToEndAsync(CancellationToken.None);
        try
        {
            for (var watch = Stopwatch.StartNew(); !process.WaitForExit(s_pollInterval); )
            {
                token.ThrowIfCancellationRequested();
                if (watch.Elapsed > s_timeout)
                    throw CreateError("DiskSpd did not end within 60 s");
            }
            return (process.ExitCode, output.Result, error.Result);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
                process.WaitForExit();
            }
        }
    }

    private static Process StartProcess(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception error)
        {
            throw CreateError($"DiskSpd cannot be started: {error.Message}");
        }
    }

    private static IoBenchException CreateError(string what) => IoBenchException.Failure("IoBench.DiskSpdFailed", what);
}
