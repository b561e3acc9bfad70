using System.Diagnostics;

namespace IoBench.Module.Tests;

/// <summary>One Pester file in a pwsh of its own: what it printed and how it ended.</summary>
internal sealed record PesterRun(int ExitCode, string Output)
{
    /// <summary>Where the Pester files are.</summary>
    public static string Folder { get; } = Path.Combine(Samples.Root, "Tests", "Module");

    /// <summary>Why the tests cannot run; null when they can.</summary>
    public static string? WhatIsMissing()
    {
        if (Tool.Find("pwsh") is null && Tool.Find("pwsh.exe") is null)
            return "needs pwsh (PowerShell 7.4 or later), which is not on the PATH";
        var found = Pwsh(
            "-Command",
            "(Get-Module -ListAvailable Pester | Sort-Object Version -Descending | Select-Object -First 1).Version.Major"
        );
        return int.TryParse(found.Output.Trim(), out var major) && major >= 5 ? null : "needs Pester 5 or later, which pwsh does not find";
    }

    /// <summary>Runs a file of the folder.</summary>
    public static PesterRun Start(string file)
    {
        var results = Path.Combine(Samples.Root, "artifacts", "pester");
        Directory.CreateDirectory(results);
        return Pwsh(
            "-File",
            Path.Combine(Folder, "Invoke-ModuleTest.ps1"),
            "-Path",
            Path.Combine(Folder, file),
            "-ResultPath",
            Path.Combine(results, Path.ChangeExtension(file, ".xml"))
        );
    }

    /// <summary>Runs pwsh without a profile.</summary>
    public static PesterRun Pwsh(params string[] arguments)
    {
        var start = new ProcessStartInfo("pwsh", ["-NoProfile", "-NonInteractive", .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Samples.Root,
        };
        start.Environment["NO_COLOR"] = "1";
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new PesterRun(process.ExitCode, output + error.Result);
    }
}
