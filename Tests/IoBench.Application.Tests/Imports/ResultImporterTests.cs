using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class ResultImporterTests : CreatedFolderTestBase
{
    private static readonly string s_reads = SampleFiles.GetPath("documents/reads-8k-random-3-files.txt");

    [Fact]
    public void Folder_import_reads_result_files_in_order_and_skips_others()
    {
        File.Copy(s_reads, Path.Combine(Folder, "b.txt"));
        File.Copy(SampleFiles.GetPath("documents/write-8k-sequential-BN.txt"), Path.Combine(Folder, "a.txt"));
        File.WriteAllText(Path.Combine(Folder, "diary.txt"), "Dear diary");
        var items = ResultImporter.Read([Folder], new ImportOptions()).ToList();
        Assert.Equal(["a.txt 1", "b.txt 3"], items.OfType<ImportedFile>().Select(f => $"{Path.GetFileName(f.Path)} {f.Count}"));
        Assert.Equal(4, items.OfType<ImportedResult>().Count());
        Assert.DoesNotContain(items, item => item is ImportFailure);
    }

    [Fact]
    public void Folder_import_ends_with_a_summary_of_skipped_and_failed_files()
    {
        File.Copy(s_reads, Path.Combine(Folder, "a.txt"));
        File.WriteAllText(Path.Combine(Folder, "empty.txt"), "");
        File.WriteAllText(Path.Combine(Folder, "diary.txt"), "Dear diary");
        File.Copy(SampleFiles.GetPath("diskspd-runs", "v22-mix-r-L.out"), Path.Combine(Folder, "other.txt"));
        var items = ResultImporter.Read([Folder], new ImportOptions { Expected = ResultFormat.Sqlio }).ToList();

        Assert.Equal(
            [("diary.txt", "not from a known tool"), ("empty.txt", "empty")],
            items.OfType<SkippedFile>().Select(file => (Path.GetFileName(file.Path), file.Reason))
        );
        var count = items.OfType<ImportedResult>().Count();
        Assert.Equal(
            $"{Folder}: {count} results from 1 file. "
                + "Skipped: 1 not from a known tool (diary.txt), 1 empty (empty.txt). Failed: 1 file.",
            Assert.IsType<ImportNote>(items[^1]).Text
        );
    }

    [Fact]
    public void Skipped_files_of_a_folder_have_their_kind_as_reason()
    {
        foreach (
            var name in (string[])
                [
                    "cases/diskspd-powershell.ps1",
                    "cases/diskspd-profile-empty-duration.xml",
                    "cases/filestats-sqlcmd-footer.csv",
                    "cases/fio-job-poisson-ss.fio",
                    "cases/fio-job-template.fio",
                    "cases/fio-lines.txt",
                    "diskspd-runs/v22-usage.out",
                    "documents/paramMT.txt",
                ]
        )
            File.Copy(SampleFiles.GetPath(name), Path.Combine(Folder, Path.GetFileName(name)));

        Assert.Equal(
            [
                ("diskspd-powershell.ps1", "command lines only"),
                ("diskspd-profile-empty-duration.xml", "DiskSpd profile"),
                ("filestats-sqlcmd-footer.csv", "file statistics"),
                ("fio-job-poisson-ss.fio", "fio job file"),
                ("fio-job-template.fio", "template"),
                ("fio-lines.txt", "command lines only"),
                ("paramMT.txt", "SQLIO parameter file"),
                ("v22-usage.out", "help text"),
            ],
            ResultImporter
                .Read([Folder], new ImportOptions())
                .OfType<SkippedFile>()
                .Select(file => (Path.GetFileName(file.Path), file.Reason))
                .OrderBy(file => file.Item1, StringComparer.Ordinal)
        );
    }

    [Fact]
    public void Failed_run_of_a_tool_is_reported_once()
    {
        var note = Assert.Single(
            ResultImporter.Read([SampleFiles.GetPath("cases/diskspd-failed-disk-full.txt")], new ImportOptions()).OfType<ImportNote>()
        );
        Assert.Contains(": the test failed: Error setting end of file (error code: 112)", note.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Folder_import_has_no_summary_when_all_files_are_results()
    {
        File.Copy(s_reads, Path.Combine(Folder, "a.txt"));
        Assert.Empty(ResultImporter.Read([Folder], new ImportOptions()).OfType<ImportNote>());
    }

    [Fact]
    public void Folder_import_combines_messages_that_differ_only_in_the_file()
    {
        var text = File.ReadAllText(s_reads);
        var cut = text[..(text.IndexOf("throughput metrics", StringComparison.Ordinal))];
        foreach (var name in new[] { "a.txt", "b.txt", "c.txt" })
            File.WriteAllText(Path.Combine(Folder, name), cut);
        var incomplete = Assert.Single(
            ResultImporter.Read([Folder], new ImportOptions()).OfType<ImportNote>(),
            note => note.Incomplete is not null
        );
        Assert.StartsWith("3 times: ", incomplete.Text, StringComparison.Ordinal);
        Assert.EndsWith($" First file: {Path.Combine(Folder, "a.txt")}", incomplete.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(LabelSource.Content, null, null)]
    [InlineData(LabelSource.FileName, null, "reads-8k-random-3-files")]
    [InlineData(LabelSource.Folder, null, "documents")]
    [InlineData(LabelSource.Folder, "mine", "mine")]
    public void Label_comes_from_the_selected_source(LabelSource from, string? label, string? expected)
    {
        var items = ResultImporter.Read([s_reads], new ImportOptions { LabelFrom = from, Label = label });
        Assert.All(items.OfType<ImportedResult>(), item => Assert.Equal(expected, item.Result.Label));
    }

    [Fact]
    public void Unreadable_file_is_reported_in_order_and_others_are_imported()
    {
        var missing = Path.Combine(Folder, "missing.txt");
        var items = ResultImporter.Read([missing, s_reads, Folder], new ImportOptions()).ToList();
        Assert.Equal(["IoBench.FileNotFound", "IoBench.NoResultFiles"], items.OfType<ImportFailure>().Select(f => f.Error.ErrorId));
        Assert.Equal(missing, Assert.IsType<ImportFailure>(items[0]).Path);
        Assert.Equal(3, items.OfType<ImportedResult>().Count());
    }

    [Fact]
    public void Truncated_run_is_imported_and_reported_as_incomplete()
    {
        var text = File.ReadAllText(s_reads);
        var cut = Path.Combine(Folder, "cut.txt");
        File.WriteAllText(cut, text[..text.LastIndexOf("throughput metrics", StringComparison.Ordinal)]);
        var items = ResultImporter.Read([cut], new ImportOptions()).ToList();
        var incomplete = Assert.Single(items.OfType<ImportNote>(), note => note.Incomplete is not null);
        Assert.Equal(IoResultStatus.Incomplete, incomplete.Incomplete!.Status);
        Assert.Contains(items, item => item is ImportedResult found && found.Result == incomplete.Incomplete);
        Assert.StartsWith(cut + ": ", incomplete.Text, StringComparison.Ordinal);
        Assert.EndsWith("Run the test again, or copy its complete output.", incomplete.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Output_of_another_tool_is_an_import_failure()
    {
        File.Copy(s_reads, Path.Combine(Folder, "a.txt"));
        var options = new ImportOptions { Expected = ResultFormat.DiskSpd };
        foreach (var path in new[] { Folder, s_reads })
            Assert.Equal("IoBench.WrongTool", Assert.Single(ResultImporter.Read([path], options).OfType<ImportFailure>()).Error.ErrorId);
    }

    [LinuxTheory]
    [InlineData(true)]
    [InlineData(false)]
    public void Import_opens_each_file_once(bool asFolder)
    {
        var text = File.ReadAllText(s_reads);
        foreach (var (name, length) in new[] { ("small.txt", 1), ("head.txt", 70_000), ("large.txt", 1_500_000) })
            File.WriteAllText(Path.Combine(Folder, name), string.Concat(Enumerable.Repeat(text, 1 + length / text.Length)));
        File.WriteAllText(Path.Combine(Folder, "diary.txt"), new string('x', 100_000));
        string[] paths = asFolder ? [Folder] : Directory.GetFiles(Folder);
        using var openings = new FileOpenCounter(Folder);

        var found = ResultImporter.Read(paths, new ImportOptions()).OfType<ImportedResult>().Count();

        Assert.True(found > 1_500_000 / text.Length);
        Assert.Equal(
            ["diary.txt 1", "head.txt 1", "large.txt 1", "small.txt 1"],
            openings.GetCounts().Select(file => $"{file.Key} {file.Value}").Order()
        );
    }

    /// <summary>Both front ends use this check, so that neither option is ignored silently.</summary>
    [Fact]
    public void Label_and_label_source_exclude_each_other()
    {
        var values = new OptionValues(OptionTables.Import);
        values.Set("LabelFrom", "folder");
        Assert.Equal(LabelSource.Folder, ImportOptions.Create(values).LabelFrom);
        values.Set("Label", "old, slow SAN");
        var error = Assert.Throws<IoBenchException>(() => ImportOptions.Create(values));
        Assert.Equal("IoBench.ConflictingOptions", error.ErrorId);
        Assert.Equal("--label and --label-from cannot be combined.", error.Text.Render(CliSpelling.Default));
        Assert.Equal("-Label and -LabelFrom cannot be combined.", error.Text.Render(PowerShellSpelling.Default));
    }

    [Fact]
    public void Label_option_keeps_commas()
    {
        var values = new OptionValues(OptionTables.Import);
        Assert.Equal(new ImportOptions(), ImportOptions.Create(values));
        values.Set("Label", "old, slow SAN");
        values.Set("Recurse", true);
        Assert.Equal(
            new ImportOptions
            {
                Label = "old, slow SAN",
                Recurse = true,
                Expected = ResultFormat.Sqlio,
            },
            ImportOptions.Create(values, ResultFormat.Sqlio)
        );
    }
}
