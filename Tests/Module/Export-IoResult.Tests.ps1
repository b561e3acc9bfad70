BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Export-IoResult' {
    BeforeEach {
        $file = Join-Path $TestDrive "$([guid]::NewGuid()).json"
    }

    It 'writes an array of JSON that comes back as it was' {
        $result = New-TestResult -Label 'Old SAN'
        $result | Export-IoResult $file
        [System.IO.File]::ReadAllText($file).TrimStart()[0] | Should -Be '['
        $back = Import-IoResult $file
        $back.IOPS | Should -Be $result.IOPS
        $back.Label | Should -Be 'Old SAN'
        $back.Timeline.Count | Should -Be 5
        $back.Specification.Targets[0].Pattern.BlockSize | Should -Be 65536
        $back.StartTime | Should -Be $result.StartTime
    }

    It 'writes <Format> that is read again' -ForEach @{ Format = 'Csv' }, @{ Format = 'Sqlio' } {
        New-TestResult -Iops 500 | Export-IoResult $file -Format $Format
        (Import-IoResult $file).IOPS | Should -Be 500
    }

    It 'tells the format by the name, and asks for one when it cannot' {
        $csv = [System.IO.Path]::ChangeExtension($file, '.csv')
        New-TestResult | Export-IoResult $csv
        (Import-Csv $csv)[0].IOPS | Should -Be '12172'
        { New-TestResult | Export-IoResult (Join-Path $TestDrive 'results.dat') } | Should -Throw -ErrorId 'IoBench.UnknownFormat,Export-IoResult'
    }

    It 'does not replace a file unless forced, and leaves no temporary file' {
        [System.IO.File]::WriteAllText($file, 'precious')
        { New-TestResult | Export-IoResult $file } | Should -Throw -ErrorId 'IoBench.FileExists,Export-IoResult'
        [System.IO.File]::ReadAllText($file) | Should -Be 'precious'
        New-TestResult | Export-IoResult $file -Force
        (Import-IoResult $file).IOPS | Should -Be 12172
        Get-ChildItem $TestDrive -Filter *.tmp | Should -BeNullOrEmpty
    }

    It 'touches nothing with -WhatIf, gives the file with -PassThru, refuses an empty pipeline' {
        New-TestResult | Export-IoResult $file -WhatIf | Should -BeNullOrEmpty
        Test-Path $file | Should -BeFalse
        (New-TestResult | Export-IoResult $file -PassThru).FullName | Should -Be $file
        { @() | Export-IoResult $file -Force } | Should -Throw -ErrorId 'IoBench.NoResults,Export-IoResult'
    }
}
