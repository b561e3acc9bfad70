using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Converts SVG to PNG with a program of this computer, because IoBench has no renderer of its own.</summary>
internal sealed record PngRenderer(string Path, Func<string, string, int, int, IReadOnlyList<string>> Arguments)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    private static readonly (string[] Names, Func<string, string, int, int, IReadOnlyList<string>> Arguments)[] s_renderers =
    [
        (["rsvg-convert"], (svg, png, width, _) => ["-w", NumberFormat.Integer(width), "-o", png, svg]),
        (["inkscape"], (svg, png, width, _) => [svg, "--export-type=png", "--export-filename=" + png, "-w", NumberFormat.Integer(width)]),
        (
            ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome", "msedge"],
            GetBrowserArguments
        ),
        (["soffice", "libreoffice"], GetOfficeArguments),
    ];

    private static readonly string[] s_windowsFolders =
    [
        @"Google\Chrome\Application",
        @"Microsoft\Edge\Application",
        @"Inkscape\bin",
        @"LibreOffice\program",
    ];

    public static PngRenderer Find(string name) =>
        FindIn(GetSearchFolders())
        ?? throw IoBenchException.NotFound(
            "IoBench.NoPictureRenderer",
            $"{name}: this computer has no program that makes a PNG (rsvg-convert, Inkscape, Chromium, Chrome, Edge or LibreOffice).",
            name,
            advice: "End the name in .svg: browsers, Word and most chats show it."
        );

    public static PngRenderer? FindIn(IEnumerable<string> folders)
    {
        var all = folders.Where(folder => folder.Length > 0).ToList();
        return s_renderers
            .SelectMany(known =>
                known
                    .Names.SelectMany(name =>
                        all.Select(folder => System.IO.Path.Combine(folder, OperatingSystem.IsWindows() ? name + ".exe" : name))
                    )
                    .Where(File.Exists)
                    .Select(path => new PngRenderer(path, known.Arguments))
            )
            .FirstOrDefault();
    }

    /// <exception cref="IoBenchException"><c>IoBench.NoPictureRenderer</c>, <c>IoBench.PictureFailed</c>.</exception>
    public void Render(string svg, Stream stream, int width, int height)
    {
        var folder = Directory.CreateTempSubdirectory("iobench-card-").FullName;
        try
        {
            var from = System.IO.Path.Combine(folder, "card.svg");
            var to = System.IO.Path.Combine(folder, "card.png");
            File.WriteAllText(from, svg);
            var message = RunProgram(from, to, width, height);
            if (!File.Exists(to))
                throw CreateRenderError("it wrote no picture" + (message.Length == 0 ? "" : $" ({SafeText.Escape(message)})"));
            using var picture = File.OpenRead(to);
            picture.CopyTo(stream);
        }
        finally
        {
            Directory.Delete(folder, true);
        }
    }

    private string RunProgram(string from, string to, int width, int height)
    {
        var start = new ProcessStartInfo(Path)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
            CreateNoWindow = true,
        };
        foreach (var argument in Arguments(from, to, width, height))
            start.ArgumentList.Add(argument);
        try
        {
            using var process = Process.Start(start)!;
            // Read both streams, so that the program never waits for a full pipe.
            _ = process.StandardOutput.ReadToEndAsync();
            var error = process.StandardError.ReadToEndAsync();
            if (!process.WaitForExit(s_timeout))
            {
                process.Kill(entireProcessTree: true);
                throw CreateRenderError("it did not end within a minute");
            }
            if (process.ExitCode != 0)
                throw CreateRenderError(string.Create(CultureInfo.InvariantCulture, $"it ended with code {process.ExitCode}"));
            return error.Result.Trim().Split('\n')[^1].Trim();
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            throw CreateRenderError(exception.Message);
        }
    }

    private IoBenchException CreateRenderError(string reason) =>
        IoBenchException.NotFound("IoBench.PictureFailed", $"{Path} made no PNG: {reason}.", Path, advice: "End the name in .svg instead.");

    /// <summary>LibreOffice names the output after the input. A separate profile avoids a conflict with a running instance.</summary>
    private static string[] GetOfficeArguments(string svg, string png, int width, int height)
    {
        var folder = System.IO.Path.GetDirectoryName(png)!;
        return
        [
            "-env:UserInstallation=" + new Uri(System.IO.Path.Combine(folder, "profile")).AbsoluteUri,
            "--headless",
            "--convert-to",
            "png",
            "--outdir",
            folder,
            svg,
        ];
    }

    private static string[] GetBrowserArguments(string svg, string png, int width, int height)
    {
        List<string> arguments =
        [
            "--headless=new",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
            "--user-data-dir=" + System.IO.Path.GetDirectoryName(png),
            string.Create(CultureInfo.InvariantCulture, $"--window-size={width},{height}"),
            "--screenshot=" + png,
            new Uri(svg).AbsoluteUri,
        ];
        // A browser refuses to start its sandbox as root. The content is IoBench's own image without scripts.
        if (OperatingSystem.IsLinux() && Environment.UserName == "root")
            arguments.Insert(0, "--no-sandbox");
        return [.. arguments];
    }

    private static IEnumerable<string> GetSearchFolders()
    {
        var programs = new[] { Environment.SpecialFolder.ProgramFiles, Environment.SpecialFolder.ProgramFilesX86 }
            .Select(Environment.GetFolderPath)
            .Where(folder => folder.Length > 0);
        return (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(System.IO.Path.PathSeparator)
            .Concat(
                OperatingSystem.IsWindows()
                    ? programs.SelectMany(folder => s_windowsFolders.Select(below => System.IO.Path.Combine(folder, below)))
                    : []
            );
    }
}
