BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'ConvertFrom-IoCommandLine' {
    It 'makes a test of a line of sqlio' {
        $test = ConvertFrom-IoCommandLine 'sqlio -kW -s360 -frandom -o8 -b64 -t4 -BN -LS C:\test.dat'
        $test | Should -BeOfType IoBench.Engine.IoTestSpecification
        $test.WritePercent | Should -Be 100
        $test.Duration.TotalSeconds | Should -Be 360
        $test.WarmUp.TotalSeconds | Should -Be 0
        $test.AccessPattern | Should -Be 'Random'
        $test.OutstandingIO | Should -Be 8
        $test.BlockSize | Should -Be 65536
        $test.ThreadCount | Should -Be 4
        $test.Buffering | Should -Be 'None'
        $test.Targets.Path | Should -Be 'C:\test.dat'
    }

    It 'makes a test of a line of diskspd' {
        $test = ConvertFrom-IoCommandLine 'diskspd -b8K -d60 -W10 -o8 -t4 -r -w30 -Sh -L -c20G T:\iotest.dat'
        $test.WritePercent | Should -Be 30
        $test.Duration.TotalSeconds | Should -Be 60
        $test.WarmUp.TotalSeconds | Should -Be 10
        $test.Buffering | Should -Be 'None'
        $test.Targets[0].FileSize ?? $test.FileSize | Should -Be 20GB
    }

    It 'takes lines through the pipeline as one batch: variables hold for the next' {
        $tests = 'set QD=32', 'sqlio -kR -s10 -frandom -o%QD% -b8 -LS a.dat', 'sqlio -kR -s10 -fsequential -o2 -b64 -LS a.dat' | ConvertFrom-IoCommandLine
        $tests.OutstandingIO | Should -Be 32, 2
        $tests.AccessPattern | Should -Be 'Random', 'Interlocked'
    }

    It 'reads batch files and DiskSpd profiles, by name, wildcard and Get-ChildItem' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'batch [1]')).FullName
        Set-Content -LiteralPath (Join-Path $folder 'a.cmd') -Value 'rem old tests', 'for %%o in (1 2 4) do sqlio -kR -s10 -frandom -o%%o -b8 -LS a.dat'
        Set-Content -LiteralPath (Join-Path $folder 'b.cmd') -Value 'diskspd -d5 -r b.dat'
        (ConvertFrom-IoCommandLine -LiteralPath (Join-Path $folder 'a.cmd')).OutstandingIO | Should -Be 1, 2, 4
        (Get-ChildItem -LiteralPath $folder | ConvertFrom-IoCommandLine).Count | Should -Be 4
        Push-Location -LiteralPath $folder
        (ConvertFrom-IoCommandLine -Path *.cmd).Count | Should -Be 4
        Pop-Location
    }

    It 'reads the other lines when one cannot be read, with the arguments it is given' {
        $file = Join-Path $TestDrive 'part.cmd'
        Set-Content $file 'sqlio -kR -s1 -frandom -o1 -b8 -LS a.dat', 'sqlio -Q a.dat', 'sqlio -kR -s%1 -frandom -b%2 a.dat'
        $tests = ConvertFrom-IoCommandLine -Path $file -ArgumentList 7, 64 -ErrorVariable refused -ErrorAction SilentlyContinue
        $tests.BlockSize | Should -Be 8192, 65536
        $tests[1].Duration.TotalSeconds | Should -Be 7
        @($refused).Count | Should -Be 1
        $refused[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidCommandLine*'
        { Invoke-IoTest -CommandLine $file -WhatIf } | Should -Throw -ErrorId 'IoBench.InvalidCommandLine*'
    }

    It 'says where a test comes from' {
        $file = Join-Path $TestDrive 'origin.cmd'
        Set-Content $file '', 'sqlio -kR -s1 -frandom -o1 -b8 -LS a.dat'
        $test = ConvertFrom-IoCommandLine -Path $file
        $test.SourceFile | Should -Be $file
        $test.SourceLine | Should -Be 2
        $test.CommandLine | Should -BeLike 'sqlio -kR*'
    }

    It 'is taken by Invoke-IoTest, and goes through CliXml' {
        $file = Join-Path $TestDrive 'spec.xml'
        ConvertFrom-IoCommandLine "diskspd -c8M -d1 -W0 -r -t2 -o4 -b64K -Sh $TestDrive/x.dat" | Export-Clixml $file
        $result = Import-Clixml $file | Invoke-IoTest -Duration 0.2 -WarmUp 0 -Backend Null -WarningAction SilentlyContinue
        $result.BlockSizeKB | Should -Be 64
        $result.ThreadCount | Should -Be 2
    }

    It 'says what it does not understand, with the line, and gives what it does' {
        $problem = Get-ErrorOf { ConvertFrom-IoCommandLine 'diskspd -Q9 x.dat' }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.InvalidCommandLine,IoBench.PowerShell.ConvertFromIoCommandLineCommand'
        $problem.CategoryInfo.Category | Should -BeIn 'InvalidArgument', 'InvalidData'
        $problem.Exception.Message | Should -Match 'Q'
    }

    It 'has nothing to say to nothing' {
        @() | ConvertFrom-IoCommandLine | Should -BeNullOrEmpty
    }

    It 'keeps the order of lines and files that come through the pipeline' {
        $file = Join-Path $TestDrive 'between.cmd'
        Set-Content $file 'diskspd -d1 -r file.dat'
        $tests = 'set Q=2', 'diskspd -d1 -o%Q% a.dat', [pscustomobject]@{ Path = $file }, 'diskspd -d1 b.dat', (Get-Item $file) | ConvertFrom-IoCommandLine
        $tests.ForEach({ Split-Path -Leaf $_.Targets.Path }) | Should -Be 'a.dat', 'file.dat', 'b.dat', 'file.dat'
        $tests[0].OutstandingIO | Should -Be 2
        # Lines of Get-Content know their file; they are lines all the same.
        (Get-Content $file | ConvertFrom-IoCommandLine).SourceFile | Should -BeNullOrEmpty
    }
}
