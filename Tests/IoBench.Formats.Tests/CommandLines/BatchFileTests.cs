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
    [InlineData("powershell -Command Start-Sleep -s 8", 8)]
    [InlineData("powershell \"Start-Sleep\" -Seconds 9", 9)]
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
    [InlineData("\ndiskspd -d%1 a.dat", "t.bat line 2: the value of %1 is not known")]
    [InlineData("diskspd -d%UNKNOWN_THING_X% a.dat", "the value of %UNKNOWN_THING_X% is not known")]
    [InlineData("if \"%1\"==\"x\" diskspd -d1 a.dat", "line 1: whether 'if \"%1\"==\"x\" diskspd -d1 a.dat' holds depends on %1")]
    [InlineData("if \"%1\"==\"\" goto usage\ndiskspd -d1 a.dat\n:usage", "depends on %1")]
    [InlineData("if \"%RANDOM%\"==\"7\" (\n diskspd -d1 a.dat\n)", "depends on %RANDOM%")]
    [InlineData("if x diskspd -d1 a.dat", "is not a condition that IoBench understands")]
    [InlineData(":a\ndiskspd -d1 a.dat\ngoto a", "line 2: it has more than 10000 tests, or jumps back without end")]
    [InlineData(":a\ngoto a", "without end")]
    [InlineData("goto nowhere", "the label :nowhere does not exist")]
    [InlineData(":a\ncall :a", "calls are nested too deep")]
    [InlineData("set /a N=1/0\ndiskspd -d1 a.dat", "line 1: 'set /a N=1/0' is not a calculation with whole numbers")]
    [InlineData("for /F %%i in ('dir /b') do diskspd -d1 %%i", "what another command prints (for /F) is not known")]
    [InlineData("for /F \"tokens=x\" %%i in (list.txt) do diskspd -d1 %%i", "options")]
    [InlineData("for /R %%i in (*.dat) do diskspd -d1 %%i", "this kind of 'for'")]
    [InlineData("for /F %%i in ('date /t') do set D=%%i\ndiskspd -d1 a%D%.dat", "line 2: the value of %D% is not known")]
    [InlineData("echo y | diskspd -d1 a.dat", "another program (|)")]
    [InlineData(
        "sqlio -kR -s1 -Fparam.txt timeout /T 60",
        "'timeout' is another command within the line: a line break is missing before it"
    )]
    [InlineData("diskspd -d1 -b8K a.dat diskspd -d1 -b64K a.dat", "'diskspd' is another command within the line")]
    [InlineData("diskspd -d1 a.dat pause", "'pause' is another command within the line")]
    [InlineData("diskspd -d1 -b8K\n-r -o8 a.dat", "line 1: this call goes on in line 2: join the two lines, or end the first one with ^")]
    [InlineData("sqlio -kR -s1 a.dat\n\u2013frandom", "line 1: this call goes on in line 2")]
    [InlineData("diskspd -d1 $TestFileName", "$TestFileName is a variable of PowerShell")]
    [InlineData("diskspd -d1 -b${size}K a.dat", "${size} is a variable of PowerShell")]
    [InlineData("diskspd -d%1 a.dat", "the value of %1 is not known: give the batch file's arguments")]
    [InlineData("diskspd -d1 a.dat | tee", "'tee' behind | has no name of a file")]
    [InlineData("start diskspd -d1 a.dat", "start /wait")]
    [InlineData("start /b diskspd -d1 a.dat", "start /wait")]
    [InlineData("psexec \\\\srv diskspd -d1 a.dat", "is not understood")]
    [InlineData("for /F %%i in (not-there.txt) do diskspd -d1 %%i", "the file not-there.txt of for /F cannot be read here")]
    [InlineData("for %%i in (a b) do (\ndiskspd -d1 %%i", "never closed")]
    [InlineData("set /p N=How long?\ndiskspd -d%N% a.dat", "set /p asks for it")]
    [InlineData("diskspd -?", "asks for help")]
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
        Assert.Equal("t.bat line 3: -W3s counts as 3, as DiskSpd reads it.", tests.Notes[2]);
    }

    [Fact]
    public void File_without_tests_throws()
    {
        var file = Path.Combine(Folder, "x.bat");
        File.WriteAllText(file, "echo hello\r\n");
        Assert.Equal("IoBench.NoCommandLines", Assert.Throws<IoBenchException>(() => CommandLineReader.ReadFile(file)).ErrorId);
    }

    [Fact]
    public void Escaped_percent_signs_and_delayed_expansion_are_resolved()
    {
        Assert.Equal("100%.dat", ReadText("diskspd -d1 100%%.dat").Specifications[0].Targets[0].Path);
        Assert.Equal("b.dat", ReadText("setlocal enabledelayedexpansion\nset A=b\ndiskspd -d1 !A!.dat").Specifications[0].Targets[0].Path);
    }

    [Theory]
    [InlineData("1+2*3", 7)]
    [InlineData("(1+2)*3", 9)]
    [InlineData("X*2", 10)]
    [InlineData("%X%%%3", 2)]
    [InlineData("0x10-010", 8)]
    [InlineData("-7/2", -3)]
    [InlineData("\"1<<4|3\"", 19)]
    [InlineData("\"~5&0xF^1\"", 11)]
    [InlineData("1+!5", 1)]
    [InlineData("1+UNSET_THING", 1)]
    [InlineData("2147483647+1", int.MinValue)]
    [InlineData("\"X + 1\"", 6)]
    public void Set_a_evaluates_arithmetic(string text, int value)
    {
        var tests = ReadText($"set X=5\nset /a N={text}\nset /a M=N, N=M\nif %M% equ {value} diskspd -d1 a.dat\n");
        Assert.Single(tests.Specifications);
    }

    [Fact]
    public void Loop_with_goto_and_counter_is_expanded()
    {
        var tests = ReadText(
            """
            set /a N=0
            set Q=1
            :next
            set /a N+=1
            set /a "Q*=2"
            diskspd -t%N% -o%Q% a.dat > run%N%.txt
            if %N% lss 4 goto next
            """
        );
        Assert.Equal([(1, 2), (2, 4), (3, 8), (4, 16)], tests.Specifications.Select(s => (s.ThreadCount, s.OutstandingIO)));
        Assert.Equal("run3.txt", tests.Specifications[2].GetOrAddOrigin().OutputFile);
    }

    [Fact]
    public void Subroutines_receive_arguments()
    {
        var tests = ReadText(
            """
            @echo off
            set F="T:\test dir\a.dat"
            for %%k in (R W) do (
              for %%b in (8 64) do call :one %%k %%b random
              timeout /t 9
            )
            call :two
            goto :eof

            :one
            setlocal
            set KIND=%3
            sqlio -k%1 -s10 -f%KIND% -b%~2 %F% > %1_%2.txt
            exit /b

            :two
            if defined KIND echo never
            if not defined KIND sqlio -kW -s5 -fsequential -b256 %F%
            """
        );
        Assert.Equal(
            ["8KB random read", "64KB random read", "8KB random write", "64KB random write", "256KB sequential write"],
            tests.Specifications.Select(s => PatternText.Describe(s).Replace("interlocked", "sequential"))
        );
        Assert.Equal([0.0, 0, 9, 0, 9], tests.Specifications.Select(s => s.RestBefore.TotalSeconds));
        Assert.Equal("W_64.txt", tests.Specifications[3].GetOrAddOrigin().OutputFile);
        Assert.All(tests.Specifications, s => Assert.Equal(@"T:\test dir\a.dat", s.Targets[0].Path));
    }

    [Theory]
    [InlineData("if \"%X%\"==\"5\" A")]
    [InlineData("if /i %W%==ABC (A) else B")]
    [InlineData("if not %X%==6 (A) else (B)")]
    [InlineData("if %X% gtr 4 if %X% leq 5 A")]
    [InlineData("if %X% neq 5 (\n B\n) else if %X% geq 05 (\n A\n) else (\n B\n)")]
    [InlineData("if \"%NOT_SET_HERE%\"==\"\" set V=A\n%V%")]
    [InlineData("if not defined NOT_SET_HERE (set V=A) else set V=B\n%V%")]
    [InlineData("if errorlevel 1 goto bad\nA\ngoto :eof\n:bad\nB")]
    [InlineData("if %ERRORLEVEL% NEQ 0 exit /b 1\nA & exit\nB")]
    [InlineData("if exist there.txt (A) else (B)")]
    [InlineData("if not exist T*.txt (B) else A")]
    [InlineData("if exist missing.txt B\nif not exist missing.txt A")]
    [InlineData("echo x & if %X%==5 A & goto end & B\n:end")]
    [InlineData("goto one\nB\n:one two\nA")]
    [InlineData("if \"%~nx0\"==\"t.cmd\" A")]
    [InlineData("if \"%W:~1,1%%W:~-1%%W:b=-%\"==\"bca-c\" A")]
    public void Conditions_with_known_values_are_evaluated(string text)
    {
        File.WriteAllText(Path.Combine(Folder, "there.txt"), "");
        var file = Path.Combine(Folder, "t.cmd");
        File.WriteAllText(
            file,
            "set X=5\nset W=abc\n"
                + text.Replace("A", "diskspd -d1 a.dat")
                    .Replace("B", "diskspd -d2 b.dat")
                    .Replace("diskspd -d1 a.datdiskspd -d2 b.datC", "ABC")
                + "\n"
        );
        Assert.Equal(1, Assert.Single(CommandLineReader.ReadFile(file).Specifications).Duration.TotalSeconds);
    }

    [Fact]
    public void Loops_over_file_lines_and_files_are_expanded()
    {
        File.WriteAllText(Path.Combine(Folder, "list.csv"), "# kind,block,depth and more\r\nrandom,8,4 x\r\n\r\nsequential;;64;32 y\r\n");
        foreach (var name in (string[])["b.dat", "a.dat", "c.txt"])
            File.WriteAllText(Path.Combine(Folder, name), "");
        var file = Path.Combine(Folder, "t.bat");
        File.WriteAllText(
            file,
            """
            for /F "eol=# tokens=1-2,3* delims=,; " %%i in (list.csv) do sqlio -kR -s1 -f%%i -b%%j -o%%k x.dat > %%l.txt
            for /F "usebackq skip=1" %%a in ("list.csv") do echo %%a
            for /F "tokens=2" %%a in ("one 2 three") do sqlio -kR -s1 -t%%a x.dat
            for %%f in (*.dat) do sqlio -kR -s1 %%f > %%~nf.out
            """
        );
        var tests = CommandLineReader.ReadFile(file);
        Assert.Equal(["x.txt", "y.txt", null, "a.out", "b.out"], tests.Specifications.Select(s => s.GetOrAddOrigin().OutputFile));
        Assert.Equal([8192L, 65536], tests.Specifications.Take(2).Select(s => s.BlockSize));
        Assert.Equal([4, 32], tests.Specifications.Take(2).Select(s => s.OutstandingIO));
        Assert.Equal(2, tests.Specifications[2].ThreadCount);
    }

    [Fact]
    public void Called_batch_file_is_read()
    {
        File.WriteAllText(Path.Combine(Folder, "one.cmd"), "diskspd -d%2 -o%DEPTH% a.dat\r\nset DEPTH=9\r\n");
        var file = Path.Combine(Folder, "all.bat");
        File.WriteAllText(file, "set DEPTH=3\r\ncall one.cmd x 7\r\ndiskspd -d1 -o%DEPTH% b.dat\r\ncall missing.bat\r\n");
        var tests = CommandLineReader.ReadFile(file);
        Assert.Equal(
            [(7.0, 3, "one.cmd", 1), (1.0, 9, "all.bat", 3)],
            tests.Specifications.Select(s =>
                (
                    s.Duration.TotalSeconds,
                    s.OutstandingIO,
                    Path.GetFileName(s.GetOrAddOrigin().SourceFile!),
                    s.GetOrAddOrigin().SourceLine!.Value
                )
            )
        );
        Assert.Contains(
            "line 4: 'call missing.bat' is not a command line of sqlio, diskspd, or fio, and is skipped",
            Assert.Single(tests.Notes)
        );
    }

    [Fact]
    public void Output_name_with_a_date_has_a_note()
    {
        var tests = ReadText("diskspd -d1 a.dat > run_%DATE:~-4%.txt");
        Assert.Equal($"run_{DateTime.Now.Year}.txt", tests.Specifications[0].GetOrAddOrigin().OutputFile);
        Assert.Contains("%DATE%", Assert.Single(tests.Notes));
    }

    [Fact]
    public void Unknown_condition_without_a_test_makes_its_variables_unknown()
    {
        Assert.Contains("t.bat line 1: not carried out", Assert.Single(ReadText("if \"%1\"==\"x\" set D=5\ndiskspd -d1 a.dat").Notes));
        Assert.Contains("the value of %D% is not known", GetError("set D=3\nif \"%1\"==\"x\" set D=5\ndiskspd -d%D% a.dat").Message);
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
        Assert.Equal("t.bat line 1: the value of %RANDOM% is not known: in the output's name it stays as it is.", tests.Notes[0]);
        Assert.Contains(
            "the value of %RANDOM% is not known",
            GetError("diskspd -d1 %RANDOM%.dat > a.txt").Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Batch_file_arguments_can_be_specified()
    {
        const string text =
            "if \"%~1\"==\"\" goto usage\ndiskspd -d%2 \"%~1\" > x%2.txt\ncall :one 5\ngoto :eof\n:one\nsqlio -kR -s%1 a.dat\ngoto :eof\n:usage\necho give a file";
        var tests = CommandLineReader.Read(text, null, CommandLineReader.SplitArguments("\"x y.dat\" 9"));
        Assert.Equal([(9.0, "x y.dat"), (5.0, "a.dat")], tests.Specifications.Select(s => (s.Duration.TotalSeconds, s.Targets[0].Path)));
        Assert.Empty(CommandLineReader.Read(text, null, []).Specifications);
        Assert.Throws<IoBenchException>(() => CommandLineReader.Read(text));
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
    [InlineData("powershell -Command \"& diskspd -d3 a.dat\"", null)]
    [InlineData(
        "powershell -NoProfile -ExecutionPolicy Bypass -command \"& 'C:\\Program Files\\diskspd.exe' -d3 'a.dat'\" > x.txt",
        "x.txt"
    )]
    [InlineData("pwsh -c \"cd C:\\; & {diskspd -d3 a.dat | Out-File x.txt}\"", "x.txt")]
    [InlineData("powershell diskspd -d3 a.dat", null)]
    [InlineData("cmd /c \"diskspd -d3 a.dat\" >x.txt", "x.txt")]
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
            "t.bat line 1: what the test prints goes into 'find \"IO\"', which is not carried out.",
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
            "is a script of PowerShell with variables, blocks, or conditions, which is not read.",
            error.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Own_options_of_CrystalDiskMark_and_old_batch_files_have_notes()
    {
        var tests = ReadText("DiskSpd64.exe -b8K -d1 -o1 -A12345 a.dat\nsqlio -kR -s1 -o0 -frandom -i2000000 a.dat\ndiskspd -A a.dat");
        Assert.Equal((1, false), (tests.Specifications[1].OutstandingIO, tests.Specifications[1].GetOrAddOrigin().Sqlio!.OutstandingGiven));
        Assert.Contains("-A12345 is CrystalDiskMark's own", tests.Notes[0], StringComparison.Ordinal);
        Assert.Contains("-o0 counts as no -o", tests.Notes[1], StringComparison.Ordinal);
        Assert.Contains("'-A' is not an option", Assert.Single(tests.Refused).Message, StringComparison.Ordinal);
    }
}
