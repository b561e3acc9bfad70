using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class BatchFileTests : CreatedFolderTestBase
{
    private static CommandLineTests ReadText(string text) => CommandLineReader.Read(new StringReader(text), "t.bat", null);

    private static IoBenchException GetError(string text) => Assert.Throws<IoBenchException>(() => ReadText(text).ThrowIfRefused());

    [Fact]
    public void Batch_file_with_both_tools_is_converted()
    {
        File.WriteAllText(Path.Combine(Folder, "paramMT.txt"), "c:\\testfile.dat 2 0x0 100\r\n");
        var file = Path.Combine(Folder, "all.cmd");
        File.WriteAllText(
            file,
            """
            @echo off
            setlocal
            rem the old tests
            :: and some more
            set EXE="C:\Program Files\DiskSpd\diskspd.exe"
            set "OUT=results"
            set SECS=15
            echo starting %DATE% ...
            sqlio -kR -s%SECS% -frandom -o8 -b8 -LS -FparamMT.txt > %OUT%\Reads8K.txt
            timeout /T 60 /nobreak >nul
            ping -n 31 localhost > nul
            %EXE% -d%SECS% -o32 -t4 ^
              -b64K -h -si -L -w0 ^
              "D:\TEST DIR\iotest.dat" >> "%OUT%\all results.txt" 2>&1
            call diskspd -d1 E:\x.dat & timeout 5 & start "run" /wait diskspd.exe -d2 F:\y.dat
            copy %OUT%\*.txt \\server\share
            pause
            exit /b 0
            """.Replace("\n", "\r\n")
        );
        var tests = CommandLineReader.ReadFile(file);
        Assert.Equal([9, 12, 15, 15], tests.Specifications.Select(s => s.GetOrAddOrigin().SourceLine!.Value));
        var (sqlio, diskspd, third, fourth) = (
            tests.Specifications[0],
            tests.Specifications[1],
            tests.Specifications[2],
            tests.Specifications[3]
        );
        Assert.Equal(
            (@"results\Reads8K.txt", 15.0, @"c:\testfile.dat"),
            (sqlio.GetOrAddOrigin().OutputFile, sqlio.Duration.TotalSeconds, sqlio.Targets[0].Path)
        );
        Assert.Equal(
            (TimeSpan.FromSeconds(90), @"results\all results.txt", @"D:\TEST DIR\iotest.dat"),
            (diskspd.RestBefore, diskspd.GetOrAddOrigin().OutputFile, diskspd.Targets[0].Path)
        );
        Assert.Equal((IoAccessPattern.Interlocked, 32, 4), (diskspd.AccessPattern, diskspd.OutstandingIO, diskspd.ThreadCount));
        Assert.Equal(
            (TimeSpan.Zero, @"E:\x.dat", TimeSpan.FromSeconds(5), @"F:\y.dat"),
            (third.RestBefore, third.Targets[0].Path, fourth.RestBefore, fourth.Targets[0].Path)
        );
        Assert.Equal(file, sqlio.GetOrAddOrigin().SourceFile);
        Assert.Contains("line 16: 'copy", Assert.Single(tests.Notes));
    }

    [Fact]
    public void Loops_are_expanded()
    {
        var tests = ReadText(
            """
            set F=T:\a.dat
            for %%b in (8 64) do diskspd -b%%bK %F%
            for /L %%o in (1,4,9) do (
              for %%t in (2,4) do (
                diskspd -o%%o -t%%t -si %F% > o%%o_t%%~t.txt
                timeout /t 3
              )
            )
            """
        );
        Assert.Equal([8192L, 65536L], tests.Specifications.Take(2).Select(s => s.BlockSize));
        Assert.Equal(
            [(1, 2), (1, 4), (5, 2), (5, 4), (9, 2), (9, 4)],
            tests.Specifications.Skip(2).Select(s => (s.OutstandingIO, s.ThreadCount))
        );
        Assert.Equal("o5_t4.txt", tests.Specifications[5].GetOrAddOrigin().OutputFile);
        Assert.Equal(TimeSpan.FromSeconds(3), tests.Specifications[3].RestBefore);
        Assert.Equal(5, tests.Specifications[^1].GetOrAddOrigin().SourceLine);
        Assert.Empty(tests.Notes);
    }

    [Theory]
    [InlineData("timeout /T 60 /nobreak", 60)]
    [InlineData("TIMEOUT 5", 5)]
    [InlineData("timeout /T:7", 7)]
    [InlineData("ping 127.0.0.1 -n 11 >nul", 10)]
    [InlineData("ping 1.1.1.1 -n 1 -w 3000 >nul", 3)]
    [InlineData("choice /C yn /T 30 /D y", 30)]
    [InlineData("sleep 12", 12)]
    [InlineData("Start-Sleep -s 8", 8)]
    public void Wait_commands_are_idle_time(string wait, int seconds) =>
        Assert.Equal(seconds, ReadText(wait + "\ndiskspd -d1 a.dat").Specifications[0].RestBefore.TotalSeconds);

    [Fact]
    public void Documented_command_lines_are_read_in_order()
    {
        var tests = CommandLineReader.Read(File.ReadAllText(SampleFiles.GetPath("documents", "diskspd-commands.txt")));
        Assert.Equal(8, tests.Specifications.Count);
        var param = File.ReadAllText(SampleFiles.GetPath("documents", "paramMT.txt"));
        File.WriteAllText(Path.Combine(Folder, "paramMT.txt"), param);
        File.WriteAllText(Path.Combine(Folder, "paramST.txt"), param);
        File.Copy(SampleFiles.GetPath("documents", "sqlio-commands.txt"), Path.Combine(Folder, "c.txt"));
        tests = CommandLineReader.ReadFile(Path.Combine(Folder, "c.txt"));
        Assert.Equal(12, tests.Specifications.Count);
        Assert.All(
            tests.Specifications,
            s => Assert.Equal((7200.0, @"O:\SQLIOMP\Disk1\testfile.dat"), (s.Duration.TotalSeconds, s.Targets[0].Path))
        );
        Assert.Equal("Reads8KRandom8Oustanding.txt", tests.Specifications[0].GetOrAddOrigin().OutputFile);
    }

    [Theory]
    [InlineData("diskspd -d1 a.dat\ndiskspd -Q a.dat", "t.bat line 2: diskspd: '-Q' is not an option")]
    [InlineData("\ndiskspd -d%1 a.dat", "t.bat line 2: the value of %1 is unknown")]
    [InlineData("diskspd -d%UNKNOWN_THING_X% a.dat", "the value of %UNKNOWN_THING_X% is unknown")]
    [InlineData("if \"%1\"==\"x\" diskspd -d1 a.dat", "line 1: IoBench does not evaluate 'if \"%1\"==\"x\" diskspd -d1 a.dat'")]
    [InlineData("if errorlevel 1 goto end\ndiskspd -d1 a.dat\n:end", "line 1: IoBench does not evaluate 'if errorlevel 1 goto end'")]
    [InlineData("if exist x (\n diskspd -d1 a.dat\n) else (\n diskspd -d2 a.dat\n)", "line 1: IoBench does not evaluate 'if exist x ('")]
    [InlineData("timeout 1 & if exist x diskspd -d1 a.dat", "line 1: IoBench does not evaluate 'if exist x diskspd -d1 a.dat'")]
    [InlineData("if exist x (diskspd -d1 a.dat)\nelse (\ndiskspd -d2 a.dat\n)", "line 2: an 'else' must be on the same line")]
    [InlineData("if exist x set D=5\ndiskspd -d%D% a.dat", "line 2: the value of %D% is unknown")]
    [InlineData(":a\ndiskspd -d1 a.dat\ngoto a", "line 3: IoBench cannot read 'goto a'")]
    [InlineData("call :one 8\ngoto :eof\n:one\ndiskspd -d%1 a.dat", "line 1: IoBench cannot read 'call :one 8'")]
    [InlineData("set D=3\ncall other.bat\ndiskspd -d1 a.dat", "line 2: IoBench cannot read 'call other.bat'")]
    [InlineData("call \"my tests.cmd\" 5\ndiskspd -d1 a.dat", "line 1: IoBench cannot read 'call \"my tests.cmd\" 5'")]
    [InlineData("set /a N=1+1\ndiskspd -d%N% a.dat", "line 2: the value of %N% is unknown")]
    [InlineData("set N=1\nset M=2\nset /a \"M=3, N+=1\"\ndiskspd -d%N% a.dat", "line 4: the value of %N% is unknown")]
    [InlineData("set /p N=How long?\ndiskspd -d%N% a.dat", "line 2: the value of %N% is unknown")]
    [InlineData("setlocal\nset D=3\nendlocal\ndiskspd -d%D% a.dat", "line 4: the value of %D% is unknown")]
    [InlineData("set D=30\ndiskspd -d%D:~0,1% a.dat", "line 2: the value of %D:~0,1% is unknown")]
    [InlineData("set D=30\ndiskspd -d%D:0=% a.dat", "line 2: the value of %D:0=% is unknown")]
    [InlineData("setlocal enabledelayedexpansion\nset D=3\ndiskspd -d!D! a.dat", "line 3: the value of !D! is unknown")]
    [InlineData("for /F %%i in ('dir /b') do diskspd -d1 %%i", "line 1: IoBench cannot read this kind of 'for'")]
    [InlineData("for /F \"tokens=1\" %%i in (list.txt) do (\ndiskspd -d1 %%i\n)", "line 1: IoBench cannot read this kind of 'for'")]
    [InlineData("for /R %%i in (*.dat) do diskspd -d1 %%i", "line 1: IoBench cannot read this kind of 'for'")]
    [InlineData("for /R C:\\x %%i in (*.dat) do diskspd -d1 %%i", "line 1: IoBench cannot read this kind of 'for'")]
    [InlineData("for /F %%i in ('date /t') do set D=%%i\ndiskspd -d1 a%D%.dat", "line 2: the value of %D% is unknown")]
    [InlineData("for %%i in (*.dat) do diskspd -d1 %%i", "line 1: IoBench cannot read a 'for' loop over files (*.dat)")]
    [InlineData("for %%i in (%LIST_NOT_SET%) do diskspd -d1 %%i", "line 1: the value of %LIST_NOT_SET% is unknown")]
    [InlineData("for %%i in (a.dat) do diskspd -d1 %%~ni", "line 1: the value of %%~ni is unknown")]
    [InlineData("for /L %%i in (1,0,9) do diskspd -d1 a.dat", "line 1: for /L requires three decimal numbers")]
    [InlineData("for /L %%i in (010,1,12) do diskspd -d%%i a.dat", "line 1: for /L requires three decimal numbers")]
    [InlineData("for /L %%i in (1,1,100000) do diskspd -d1 a.dat", "line 1: the loop repeats more often than IoBench supports")]
    [InlineData("cmd /c \"diskspd -d1 a.dat\"", "but IoBench cannot read it. The line must begin with the name of the tool")]
    [InlineData("powershell -Command \"& diskspd -d1 a.dat\"", "but IoBench cannot read it. The line must begin with the name of the tool")]
    [InlineData("echo y | diskspd -d1 a.dat", "another program (|)")]
    [InlineData("sqlio -kR -s1 -Fparam.txt timeout /T 60", "'timeout' is another command on the same line. Insert a line break before it")]
    [InlineData("diskspd -d1 -b8K a.dat diskspd -d1 -b64K a.dat", "'diskspd' is another command on the same line")]
    [InlineData("diskspd -d1 a.dat pause", "'pause' is another command on the same line")]
    [InlineData(
        "diskspd -d1 -b8K\n-r -o8 a.dat",
        "line 1: this call continues on line 2. Join the two lines, or end the first line with ^"
    )]
    [InlineData("sqlio -kR -s1 a.dat\n\u2013frandom", "line 1: this call continues on line 2")]
    [InlineData("diskspd -d1 $TestFileName", "the PowerShell variable $TestFileName")]
    [InlineData("diskspd -d1 -b${size}K a.dat", "the PowerShell variable ${size}")]
    [InlineData("diskspd -d%1 a.dat", "the value of %1 is unknown. Specify the arguments of the batch file")]
    [InlineData("diskspd -d1 a.dat | tee", "'tee' after | requires a file name")]
    [InlineData("start diskspd -d1 a.dat", "start /wait")]
    [InlineData("start /b diskspd -d1 a.dat", "start /wait")]
    [InlineData("psexec \\\\srv diskspd -d1 a.dat", "IoBench cannot read it")]
    [InlineData("for %%i in (a b) do (\ndiskspd -d1 %%i", "never closed")]
    [InlineData("diskspd -?", "this command line shows help and runs no test.")]
    [InlineData("diskspd -ePROCESS a.dat", "event tracing")]
    public void Unknown_syntax_throws_with_the_line_number(string text, string part)
    {
        var error = GetError(text);
        Assert.Contains(part, error.Message);
        Assert.Contains("t.bat line ", error.Message);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void Conditions_without_a_test_have_a_note()
    {
        var tests = ReadText("if not exist d:\\x mkdir d:\\x\nmkdir results\ndiskspd -d1 -W3s a.dat\n");
        Assert.Single(tests.Specifications);
        Assert.Equal(3, tests.Notes.Count);
        Assert.Equal("t.bat line 3: -W3s: IoBench uses 3, as DiskSpd does.", tests.Notes[2]);
    }

    [Fact]
    public void File_without_tests_throws()
    {
        var file = Path.Combine(Folder, "x.bat");
        File.WriteAllText(file, "echo hello\r\n");
        Assert.Equal("IoBench.NoCommandLines", Assert.Throws<IoBenchException>(() => CommandLineReader.ReadFile(file)).ErrorId);
    }

    [Fact]
    public void Escaped_percent_sign_is_resolved() =>
        Assert.Equal("100%.dat", ReadText("diskspd -d1 100%%.dat").Specifications[0].Targets[0].Path);

    [Fact]
    public void Folder_of_the_batch_file_is_known()
    {
        var file = Path.Combine(Folder, "x.bat");
        File.WriteAllText(file, "\"%~dp0diskspd.exe\" -d1 \"%~dp0a.dat\"\r\n");
        Assert.Equal(Path.Combine(Folder, "a.dat"), Assert.Single(CommandLineReader.ReadFile(file).Specifications).Targets[0].Path);
    }

    [Theory]
    [InlineData("exit /b 0")]
    [InlineData("exit")]
    [InlineData("goto :eof")]
    [InlineData("for %%i in (1 2) do (\nexit\n)")]
    public void Lines_after_the_end_are_not_read(string end) =>
        Assert.Equal(1, Assert.Single(ReadText($"diskspd -d1 a.dat\n{end}\ndiskspd -d2 a.dat").Specifications).Duration.TotalSeconds);

    [Fact]
    public void Output_name_with_a_date_has_a_note()
    {
        var tests = ReadText("diskspd -d1 a.dat > run_%DATE:~-4%.txt");
        Assert.Equal("run_%DATE:~-4%.txt", tests.Specifications[0].GetOrAddOrigin().OutputFile);
        Assert.Contains(
            "the value of %DATE:~-4% is unknown, so the name of the output file contains the variable name instead of the value",
            Assert.Single(tests.Notes)
        );
    }

    [Fact]
    public void Unknown_condition_without_a_test_makes_its_variables_unknown()
    {
        Assert.Contains(
            "t.bat line 1: IoBench skips this line",
            Assert.Single(ReadText("if \"%1\"==\"x\" set D=5\ndiskspd -d1 a.dat").Notes)
        );
        Assert.Contains("the value of %D% is unknown", GetError("set D=3\nif \"%1\"==\"x\" set D=5\ndiskspd -d%D% a.dat").Message);
    }

    [Fact]
    public void Unreadable_lines_are_listed_and_the_others_are_read()
    {
        var tests = ReadText(
            """
            diskspd -d1 a.dat
            timeout /T 60
            diskspd -Q a.dat
            for %%b in (8 64) do diskspd -d%NOT_KNOWN_HERE% -b%%bK a.dat
            if "%1"=="x" diskspd -d7 a.dat
            if nonsense diskspd -d7 a.dat
            psexec \\srv diskspd -d1 a.dat
            sqlio -kR -s2 b.dat
            """
        );
        Assert.Equal([1.0, 2.0], tests.Specifications.Select(s => s.Duration.TotalSeconds));
        // The idle time came before a test that does not run.
        Assert.Equal(TimeSpan.Zero, tests.Specifications[1].RestBefore);
        Assert.Equal(
            [3, 4, 5, 6, 7],
            tests.Refused.Select(e =>
                int.Parse(e.Message.Split("line ")[1].Split(':')[0], System.Globalization.CultureInfo.InvariantCulture)
            )
        );
        Assert.Equal(
            [
                "IoBench.InvalidCommandLine",
                "IoBench.InvalidBatchFile",
                "IoBench.InvalidBatchFile",
                "IoBench.InvalidBatchFile",
                "IoBench.InvalidBatchFile",
            ],
            tests.Refused.Select(e => e.ErrorId)
        );
        Assert.Throws<IoBenchException>(tests.ThrowIfRefused);
        Assert.Empty(ReadText("diskspd -d1 a.dat").ThrowIfRefused().Refused);
    }

    [Fact]
    public void Output_name_can_contain_unknown_variables()
    {
        var tests = ReadText(
            """
            diskspd -d1 a.dat > out_%RANDOM%.txt
            diskspd -d1 a.dat >>%NOT_KNOWN_HERE%\b.txt 2>&1
            sqlio -kR -s1 a.dat > %COMPUTERNAME%.txt
            """
        );
        Assert.Empty(tests.Refused);
        Assert.Equal(
            ["out_%RANDOM%.txt", @"%NOT_KNOWN_HERE%\b.txt", Environment.MachineName + ".txt"],
            tests.Specifications.Select(s => s.GetOrAddOrigin().OutputFile)
        );
        Assert.Equal(2, tests.Notes.Count);
        Assert.Equal(
            "t.bat line 1: the value of %RANDOM% is unknown, so the name of the output file contains the variable name instead of the value.",
            tests.Notes[0]
        );
        Assert.Contains("the value of %RANDOM% is unknown", GetError("diskspd -d1 %RANDOM%.dat > a.txt").Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Batch_file_arguments_can_be_specified()
    {
        const string text = "diskspd -d%2 \"%~1\" > x%2.txt\nsqlio -kR -s%3 %4 a.dat\n";
        var tests = CommandLineReader.Read(text, null, CommandLineReader.SplitArguments("\"x y.dat\" 9 5"));
        Assert.Equal([(9.0, "x y.dat"), (5.0, "a.dat")], tests.Specifications.Select(s => (s.Duration.TotalSeconds, s.Targets[0].Path)));
        Assert.Equal(2, CommandLineReader.Read(text).Refused.Count);
    }

    [Theory]
    [InlineData("C:\\test>diskspd -d3 a.dat", null)]
    [InlineData("PS C:\\my test> .\\diskspd.exe -d3 a.dat", null)]
    [InlineData("PS> & \"C:\\Program Files\\diskspd.exe\" -d3 a.dat > x.txt", "x.txt")]
    [InlineData("D:\\SQLIO> sqlio -kR -s3 a.dat >>x.txt", "x.txt")]
    [InlineData("C:\\tools\\diskspd.exe -d3 a.dat > diskspd-1.txt", "diskspd-1.txt")]
    [InlineData("diskspd -d3 a.dat | tee -a x.txt", "x.txt")]
    [InlineData("diskspd -d3 a.dat | Out-File -Encoding ascii -FilePath x.txt", "x.txt")]
    [InlineData("diskspd -d3 a.dat | Tee-Object -FilePath \"my x.txt\"", "my x.txt")]
    [InlineData("cmd /s /c diskspd -d3 a.dat", null)]
    public void Prompts_and_start_commands_are_skipped(string line, string? output)
    {
        var tests = ReadText(line);
        Assert.Empty(tests.Refused);
        var test = Assert.Single(tests.Specifications);
        Assert.Equal((3.0, "a.dat", output), (test.Duration.TotalSeconds, test.Targets[0].Path, test.GetOrAddOrigin().OutputFile));
    }

    [Fact]
    public void Piped_output_has_a_note() =>
        Assert.Equal(
            "t.bat line 1: IoBench ignores 'find \"IO\"', which reads the output of the test.",
            Assert.Single(ReadText("diskspd -d1 a.dat | find \"IO\"").Notes)
        );

    [Fact]
    public void PowerShell_script_throws()
    {
        var file = Path.Combine(Folder, "tests.ps1");
        File.WriteAllText(file, "foreach ($b in 8, 64) {\n  .\\diskspd.exe -d1 -b8K T:\\a.dat\n}\n");
        var error = Assert.Throws<IoBenchException>(() => CommandLineReader.ReadFile(file));
        Assert.Equal("IoBench.NotSupported", error.ErrorId);
        Assert.Contains(
            "is a PowerShell script with variables, blocks, or conditions, which IoBench cannot convert.",
            error.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Own_options_of_CrystalDiskMark_and_old_batch_files_have_notes()
    {
        var tests = ReadText("DiskSpd64.exe -b8K -d1 -o1 -A12345 a.dat\nsqlio -kR -s1 -o0 -frandom -i2000000 a.dat\ndiskspd -A a.dat");
        Assert.Equal((1, false), (tests.Specifications[1].OutstandingIO, tests.Specifications[1].GetOrAddOrigin().Sqlio!.OutstandingGiven));
        Assert.Contains("-A12345 is an option for CrystalDiskMark", tests.Notes[0], StringComparison.Ordinal);
        Assert.Contains("-o0 has no effect. Each thread has one outstanding I/O.", tests.Notes[1], StringComparison.Ordinal);
        Assert.Contains("'-A' is not an option", Assert.Single(tests.Refused).Message, StringComparison.Ordinal);
    }
}
