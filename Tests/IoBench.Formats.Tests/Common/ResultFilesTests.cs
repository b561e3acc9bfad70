using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class ResultFilesTests : CreatedFolderTestBase
{
    private string CopySample(string sample, string name, int times = 1)
    {
        var path = Path.Combine(Folder, name);
        var bytes = File.ReadAllBytes(SampleFiles.GetPath(sample));
        using var stream = File.Create(path);
        for (var i = 0; i < times; i++)
            stream.Write(bytes);
        return path;
    }

    [Fact]
    public void Many_files_are_read_in_order_with_the_same_results_as_alone()
    {
        // A large file among small ones is read only when it is its turn.
        var files = Enumerable
            .Range(0, 300)
            .Select(i =>
                i == 150
                    ? CopySample("documents/write-8k-sequential-BH.txt", $"{i}.txt", 3000)
                    : CopySample(i % 2 == 0 ? "documents/write-8k-sequential-BN.txt" : "diskspd-runs/v22-mix-r-L.out", $"{i}.txt")
            )
            .ToList();
        Assert.True(new FileInfo(files[150]).Length > 1 << 20);

        var read = ResultReader
            .ReadFiles(files)
            .Select(file => (file.Path, Runs: file.Results.Select(run => (run.Source, run.SourceFile, run.SourceLine, run.IOPS)).ToList()))
            .ToList();

        Assert.Equal(files, read.Select(file => file.Path));
        foreach (var (path, runs) in read)
            Assert.Equal(ResultReader.ReadFile(path).Select(run => (run.Source, run.SourceFile, run.SourceLine, run.IOPS)), runs);
        Assert.Equal(3000, read[150].Runs.Count);
    }

    [Fact]
    public void Unreadable_file_fails_in_order_and_others_are_read()
    {
        var files = new[]
        {
            CopySample("diskspd-runs/v22-mix-r-L.out", "a.txt"),
            Path.Combine(Folder, "missing.txt"),
            CopySample("documents/sqlio-commands.txt", "b.txt"),
            CopySample("diskspd-runs/v22-mix-r-L.out", "c.txt"),
        };

        var read = ResultReader.ReadFiles(files).ToList();

        Assert.Single(read[0].Results);
        Assert.Equal("IoBench.FileNotFound", Assert.Throws<IoBenchException>(() => read[1].Results.Count()).ErrorId);
        Assert.Equal("IoBench.UnknownFormat", Assert.Throws<IoBenchException>(() => read[2].Results.Count()).ErrorId);
        Assert.Single(read[3].Results);
    }

    [Fact]
    public void Result_files_of_a_folder_are_read_in_path_order()
    {
        foreach (var name in new[] { "b.txt", "A.out", "sub/c.log" })
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(Folder, name))!);
            CopySample("diskspd-runs/v22-mix-r-L.out", name);
        }
        CopySample("documents/sqlio-commands.txt", "no result.txt");
        File.WriteAllText(Path.Combine(Folder, "empty.txt"), "");
        File.WriteAllBytes(Path.Combine(Folder, "data.mdf"), new byte[100]);

        List<string> Names(bool recurse, bool skipped = false) =>
            [
                .. ResultReader
                    .ReadFolder(Folder, recurse)
                    .Where(file => skipped == file.SkipReason is not null)
                    .Select(file => Path.GetRelativePath(Folder, file.Path).Replace('\\', '/') + file.Results.Count()),
            ];

        Assert.Equal(["A.out1", "b.txt1"], Names(recurse: false));
        Assert.Equal(["data.mdf0", "empty.txt0", "no result.txt0"], Names(recurse: false, skipped: true));
        Assert.Equal(["A.out1", "b.txt1", "sub/c.log1"], Names(recurse: true));
        Assert.Equal(
            "IoBench.FileNotFound",
            Assert.Throws<IoBenchException>(() => ResultReader.ReadFolder(Path.Combine(Folder, "none"), false)).ErrorId
        );
    }

    [Fact]
    public void Enumeration_that_stops_early_reads_only_a_few_files_more()
    {
        var asked = 0;
        var first = CopySample("diskspd-runs/v22-mix-r-L.out", "a.txt");

        Assert.Equal(
            first,
            ResultReader
                .ReadFiles(
                    Enumerable
                        .Range(0, 100_000)
                        .Select(_ =>
                        {
                            asked++;
                            return first;
                        })
                )
                .First()
                .Path
        );

        Assert.InRange(asked, 1, 16 * (2 * Environment.ProcessorCount + 2));
    }
}
