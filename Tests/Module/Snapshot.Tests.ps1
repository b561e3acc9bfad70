BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The syntax of the cmdlets' {
    It 'is as recorded in Tests/Snapshots/cmdlets/syntax.txt' {
        $file = Join-Path $repository 'Tests' 'Snapshots' 'cmdlets' 'syntax.txt'
        $syntax = Get-Command -Module IoBench -CommandType Cmdlet, Function | Sort-Object Name | ForEach-Object {
            Get-Command $_.Name -Module IoBench -Syntax | ForEach-Object { $_.Trim() -split '\r?\n' -ne '' }
            ''
        }
        $text = ($syntax -join "`n").TrimEnd() + "`n"
        if ($env:IOBENCH_UPDATE_SNAPSHOTS -eq '1') {
            $null = New-Item (Split-Path $file) -ItemType Directory -Force
            [System.IO.File]::WriteAllText($file, $text)
        }
        (Get-ChildItem (Split-Path $file)).Name | Should -Be 'syntax.txt' -Because 'no test writes another file of this folder'
        $difference = Compare-Object ([System.IO.File]::ReadAllText($file) -split "`n") ($text -split "`n") -CaseSensitive | Select-Object -First 4
        $difference | ForEach-Object { "$($_.SideIndicator) $($_.InputObject)" } |
            Should -BeNullOrEmpty -Because 'IOBENCH_UPDATE_SNAPSHOTS=1 rewrites the file if the changes are intended (<= recorded, => now)'
    }
}
